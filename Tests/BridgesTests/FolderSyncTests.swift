import SaveRules
import Testing

@testable import Bridges

@Suite("One sync of one folder of a device")
struct FolderSyncTests {
    private let one = SnapshotID(words: (1, 0, 0, 0))
    private let two = SnapshotID(words: (2, 0, 0, 0))

    private func path(_ text: String) -> SavePath {
        guard let path = try? SavePath(text) else { preconditionFailure("a path of a test is one") }
        return path
    }

    private func files(_ files: [String: String]) -> [SavePath: String] {
        Dictionary(uniqueKeysWithValues: files.map { (path($0.key), $0.value) })
    }

    private func sync(
        _ now: [String: String],
        before: [String: String],
        behind: [String: DeviceHoldings.Origin] = [:]
    ) -> FolderSync {
        var holdings = DeviceHoldings(base: one)
        for (name, origin) in behind { holdings.behind[path(name)] = origin }
        return FolderSync(serving: two, files(now), to: holdings, with: files(before))
    }

    private func sent(_ hash: String) -> FolderSync.Sent { FolderSync.Sent(hash: hash, number: 1) }

    @Test("a device is offered each file of the newest version, and each deletion")
    func offered() {
        let sync = sync(["a": "1", "b": "2"], before: ["a": "1", "c": "3"])
        #expect(sync.offered == [path("a"): "1", path("b"): "2", path("c"): nil])
    }

    @Test("a file that the device sends follows the version that it was offered")
    func sends() {
        var sync = sync(["a": "1"], before: ["a": "1"])
        sync.write(path("a"), sent("9"))
        sync.write(path("new"), sent("8"))
        let results = sync.results(confirmedBy: nil, in: .saves) { _, _ in nil }
        let changes: [SavePath: FolderSync.Sent?] = [path("a"): sent("9"), path("new"): sent("8")]
        #expect(results == [.init(base: .version(two), changes: changes)])
        #expect(sync.holdings(after: two, without: []) == DeviceHoldings(base: two))
    }

    @Test("a device that sends an unchanged file, or deletes a missing one, has changed nothing")
    func same() {
        var sync = sync(["a": "1"], before: ["a": "1"])
        sync.write(path("a"), sent("1"))
        sync.delete(path("gone"))
        #expect(sync.results(confirmedBy: nil, in: .saves) { _, _ in nil }.isEmpty)
    }

    @Test("a deletion follows the version that the device was offered")
    func deletes() {
        var sync = sync(["a": "1"], before: ["a": "1"])
        sync.delete(path("a"))
        let results = sync.results(confirmedBy: nil, in: .saves) { _, _ in nil }
        #expect(results == [.init(base: .version(two), changes: [path("a"): nil])])
    }

    @Test("a new file that the device does not fetch is one that it has changed, too: it is asked for it next time")
    func keepsOwn() {
        var first = sync(["a": "2", "b": "2"], before: ["a": "1", "b": "1"])
        first.read(path("b"))
        let after = first.holdings(after: nil, without: [])
        #expect(after.base == two && after.behind == [path("a"): .version(one)])
        var second = FolderSync(
            serving: two,
            files(["a": "2", "b": "2"]),
            to: after,
            with: files(["a": "2", "b": "2"])
        )
        #expect(second.offered == [path("b"): "2"], "RetroArch sends a file that the server does not have")
        second.write(path("a"), sent("mine"))
        let results = second.results(confirmedBy: nil, in: .saves) { $1 == .version(one) ? "1" : nil }
        #expect(
            results == [.init(base: .version(one), changes: [path("a"): sent("mine")])],
            "a conflict with version two"
        )
        #expect(second.holdings(after: two, without: []).behind.isEmpty)
    }

    @Test("a device whose sync was cut off sends the old file, which undoes nothing")
    func cutOff() {
        var sync = sync(["a": "2"], before: ["a": "2"], behind: ["a": .version(one)])
        sync.write(path("a"), sent("1"))
        #expect(sync.results(confirmedBy: nil, in: .saves) { $1 == .version(one) ? "1" : nil }.isEmpty)
        let after = sync.holdings(after: nil, without: [])
        #expect(after.behind.isEmpty, "it is offered the new file")
    }

    @Test("a deletion that the device does not confirm is not taken back by its old file")
    func deletedElsewhere() {
        let first = sync([:], before: ["a": "1"])
        let after = first.holdings(after: nil, without: [])
        #expect(after.behind == [path("a"): .version(one)])
        var second = FolderSync(serving: two, [:], to: after, with: [:])
        second.write(path("a"), sent("1"))
        #expect(second.results(confirmedBy: nil, in: .saves) { _, _ in "1" }.isEmpty)
        second.write(path("a"), sent("changed"))
        #expect(second.results(confirmedBy: nil, in: .saves) { _, _ in "1" }.count == 1)
    }

    @Test("a file of other bytes than the device's manifest says is not taken, and asked for again")
    func damaged() throws {
        var sync = sync(["a": "1"], before: ["a": "1"])
        sync.write(path("a"), sent("torn"))
        let manifest = DeviceManifest([DevicePath(.saves, path("a")): "whole"])
        #expect(sync.results(confirmedBy: manifest, in: .saves) { _, _ in nil }.isEmpty)
        #expect(!sync.isWhole(path("a"), sent("torn"), confirmedBy: manifest, in: .saves))
        #expect(sync.holdings(after: nil, without: [path("a")]).behind == [path("a"): .version(two)])
    }

    @Test("files that a device had before its first sync follow no version")
    func first() {
        var first = FolderSync(serving: two, files(["a": "1"]), to: DeviceHoldings(), with: [:])
        #expect(first.holdings(after: nil, without: []).behind == [path("a"): .unknown])
        first.read(path("a"))
        #expect(first.holdings(after: nil, without: []).behind.isEmpty)
        let none = FolderSync(serving: nil, [:], to: DeviceHoldings(), with: [:])
        #expect(none.offered.isEmpty && none.holdings(after: nil, without: []) == DeviceHoldings())
    }
}
