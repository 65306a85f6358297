internal import SecureArchive
internal import Vocabulary

/// Values at an address whose type is given in C.
enum CValue {
    static func value(_ code: String, at address: UnsafeRawPointer) throws(ArchiveError) -> ArchiveValue {
        guard let scalar = ScalarCode(rawValue: code) else { throw unknown(code) }
        switch scalar {
        case .int8: return whole(address, Int8.self)
        case .uint8: return whole(address, UInt8.self)
        case .int16: return whole(address, Int16.self)
        case .uint16: return whole(address, UInt16.self)
        case .int32, .long: return whole(address, Int32.self)
        case .uint32, .ulong: return whole(address, UInt32.self)
        case .int64: return whole(address, Int64.self)
        case .uint64: return whole(address, UInt64.self)
        case .bool: return .bool(address.loadUnaligned(as: UInt8.self) != 0)
        case .float: return real(Double(address.loadUnaligned(as: Float.self)))
        case .double: return real(address.loadUnaligned(as: Double.self))
        case .object: throw unknown(code)
        }
    }

    /// The fields of an object with several values.
    static func row(_ row: RowCode, at address: UnsafeRawPointer) throws(ArchiveError) -> ArchiveFields {
        guard let scalar = ScalarCode(rawValue: row.element), let size = scalar.size else { throw unknown(row.element) }
        var values: [ArchiveValue] = []
        for index in 0..<max(row.count, 0) {
            values.append(try value(row.element, at: address + index * size))
        }
        return self.row(scalar, values)
    }

    static func row(_ code: ScalarCode, _ values: [ArchiveValue]) -> ArchiveFields {
        var fields: ArchiveFields = [
            "NS.count": .integer(ArchiveInteger(values.count)), "NS.size": .integer(ArchiveInteger(code.size ?? 0)),
            "NS.type": .integer(ArchiveInteger(Int(code.letter))),
        ]
        for (index, value) in values.enumerated() { fields["$\(index)"] = value }
        return fields
    }

    private static func whole<Number: FixedWidthInteger & BitwiseCopyable>(
        _ address: UnsafeRawPointer,
        _ type: Number.Type
    ) -> ArchiveValue {
        let number = address.loadUnaligned(as: type)
        return .integer(
            Int(exactly: number).map { ArchiveInteger($0) } ?? ArchiveInteger(UInt64(truncatingIfNeeded: number))
        )
    }

    private static func real(_ number: Double) -> ArchiveValue { .real(ArchiveReal(said: number)) }

    private static func unknown(_ code: String) -> ArchiveError {
        ArchiveError(.inexpressible, "values of the C type “\(PrintableText(code, limit: 40))” are not coded")
    }
}
