import Foundation
import SecureArchive
import SecureCoding
import TestSupport
import Testing

@Suite("Objects that are not written")
struct ArchiverRefusalTests {
    private func refusal(_ object: Any) -> String {
        let error = #expect(throws: ArchiveError.self) {
            try SecureArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        }
        return error?.message ?? ""
    }

    @Test("an object that could not be read again is an error with its place")
    func refuses() {
        #expect(refusal(Unsafe()) == "$top.root: class Unsafe does not support secure coding")
        #expect(refusal([Legacy()]).contains("class Legacy does not support secure coding"))
        #expect(refusal(NSIndexSet(index: 1)).contains("is of Foundation"))
        #expect(refusal(NSDecimalNumber(string: "1.5")).contains("is of Foundation"))
        #expect(refusal(NSCountedSet()).contains("NSCountedSet"))
        #expect(refusal([["k": Date.distantFuture.addingTimeInterval(1e13)]]).contains("years 1 to 9999"))
        #expect(refusal(Set([[1]])).contains("a collection can't be a key"))
        #expect(refusal(Silent()).contains("a Swift value has no class that archives know"))
        #expect(refusal(Spring()).contains("deeper than 64"))
    }

    @Test("an object that would hold itself is refused, also on condition")
    func refusesCircles() {
        let link = Link()
        link.next = Link()
        link.next?.next = link
        #expect(refusal(link).contains("an object of Link would hold itself"))
    }

    @Test("coding that is not secure is refused")
    func isAlwaysSecure() {
        #expect(throws: ArchiveError.self) {
            try SecureArchiver.archivedData(withRootObject: "x", requiringSecureCoding: false)
        }
        let archiver = SecureArchiver()
        archiver.setClassName("no name", for: Link.self)
        #expect(archiver.error is ArchiveError)
        #expect(archiver.encodedData.isEmpty)
    }

    @Test("objects that are encoded on condition are written only if they were encoded before")
    func conditionals() throws {
        let archiver = SecureArchiver()
        let one = Link()
        archiver.encodeConditionalObject(one, forKey: "before")
        archiver.encode(one, forKey: "it")
        archiver.encodeConditionalObject(one, forKey: "after")
        let unarchiver = try SecureUnarchiver(forReadingFrom: archiver.archivedData())
        #expect(unarchiver.decodeObject(of: Link.self, forKey: "before") == nil)
        let it = unarchiver.decodeObject(of: Link.self, forKey: "it")
        #expect(it != nil)
        #expect(unarchiver.decodeObject(of: Link.self, forKey: "after") === it)
        #expect(unarchiver.error == nil)
    }

    @Test("four thousand dictionaries of one size take milliseconds, not minutes")
    func isLinear() throws {
        let dictionaries = (0..<4_000).map { NSDictionary(dictionary: ["id": $0, "name": "n\($0)", "hp": 5]) }
        let time = try processorTime {
            _ = try SecureArchiver.archivedData(withRootObject: dictionaries, requiringSecureCoding: true)
        }
        #expect(time < .seconds(5))
    }
}
