import ArchiveProperties
import SecureArchive
import Testing

@Suite("Infinity and NaN")
struct InfinityTests {
    /// A real as plistlib and Apple write it.
    private static func binary(_ bits: UInt64) throws -> [UInt8] {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        let list = try BinaryPropertyList.write(.real(#require(ArchiveReal(1.5))))
        return list.prefix(9) + bytes + list.dropFirst(17)
    }

    @Test(
        "infinity and NaN are the same value from every format that has them",
        arguments: [
            (Double.infinity, ["inf", "+inf", "Infinity", "+infinity"]),
            (-Double.infinity, ["-inf", "-infinity"]), (Double.nan, ["nan", "NaN", " nan "]),
        ]
    )
    func formats(number: Double, texts: [String]) throws {
        let value = try BinaryPropertyList.read(Self.binary(number.bitPattern))
        guard case .real(let real) = value else { return #expect(Bool(false)) }
        #expect(!real.isFinite && (real.value == number || real.value.isNaN && number.isNaN))
        #expect(value == value && value.kindInWords == "a number that is not finite")
        #expect(try BinaryPropertyList.write(value) == Self.binary(number.bitPattern))
        for text in texts {
            let list = "<plist version=\"1.0\"><real>\(text)</real></plist>"
            #expect(try XMLPropertyList.read(Array(list.utf8)) == value)
        }
        let tree = ArchiveValue.dictionary(["best": value, "all": .array([value, value])])
        for format in [
            ArchiveFormat.binaryPropertyList, .xmlPropertyList, .keyedArchive(.binary),
            .keyedArchive(.xml),
        ] {
            let bytes = try Archive.write(tree, as: format)
            #expect(try Archive.read(bytes).value == tree)
            #expect(try Archive.write(tree, as: format) == bytes)
        }
        let error = #expect(throws: ArchiveError.self) { try JSON.write(tree) }
        #expect(error?.message == "best: JSON can't say a number that is not finite")
        #expect(error?.kind == .inexpressible)
    }

    @Test("all NaNs are one value, with any bits, and 0 is -0")
    func equality() throws {
        let values = try [0x7FF8_0000_0000_0000, 0xFFF8_0000_0000_0001, 0x7FF0_0000_0000_0001]
            .map { try BinaryPropertyList.read(Self.binary($0)) }
        #expect(values.allSatisfy { $0 == values[0] })
        #expect(try Set(values.map { try KeyedArchive.write($0, schema: .values) }).count == 1)
        #expect(ArchiveReal(0) == ArchiveReal(-0.0))
        #expect(ArchiveReal(0)?.hashValue == ArchiveReal(-0.0)?.hashValue)
    }

    @Test("a date that is not finite is refused")
    func dates() throws {
        var bytes = try Self.binary(Double.nan.bitPattern)
        bytes[8] = 0x33
        let error = #expect(throws: ArchiveError.self) { try BinaryPropertyList.read(bytes) }
        #expect(error?.kind == .damaged)
    }
}
