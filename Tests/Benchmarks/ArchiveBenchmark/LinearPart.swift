import Foundation
import SecureCoding
import Yardstick

/// Arrays of dictionaries with equal numbers of keys. Foundation hashes a dictionary by its count, so its archiver
/// compares each one with all before it.
enum LinearPart {
    static func run(isQuick: Bool) throws {
        print("\nencoding equal-sized dictionaries")
        for count in [1_000, 2_000, 4_000] {
            let time = try time(count) {
                _ = try SecureArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
            }
            print("    SecureArchiver, \(count): \(text(time * 1_000, 1)) ms")
        }
        for count in isQuick ? [100] : [100, 200, 400] {
            let time = try time(count) {
                _ = try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
            }
            print("    NSKeyedArchiver, \(count): \(text(time * 1_000, 1)) ms")
        }
    }

    private static func time(_ count: Int, _ body: (NSArray) throws -> Void) throws -> Double {
        let array = NSArray(array: (0..<count).map { NSDictionary(dictionary: ["id": $0, "name": "n\($0)", "hp": 5]) })
        let before = processorSeconds()
        try body(array)
        return processorSeconds() - before
    }
}
