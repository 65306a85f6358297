internal import Foundation
internal import SecureArchive
internal import Vocabulary

// The older way of coding: values without keys, one after the other, with their types in C.
extension UnarchivingState {
    /// Reads the next values to an address, if they are of this type and fit.
    func readValues(_ code: String, to address: UnsafeMutableRawPointer) {
        if let row = RowCode(code) { return readRow(row, to: address) }
        guard let scalar = ScalarCode(rawValue: code) else { return refuse(code) }
        let next = nextValue()
        read(scalar, next.value, next.key, to: address)
    }

    /// Reads the next values, of one type, that were written together.
    func readRow(_ row: RowCode, to address: UnsafeMutableRawPointer) {
        guard let scalar = ScalarCode(rawValue: row.element), let size = scalar.size else { return refuse(row.element) }
        let next = nextValue()
        guard failure == nil, let value = next.value else { return }
        do throws(ArchiveError) {
            let fields = try OldStyleArray.fields(value, self, scalar, count: row.count)
            for index in 0..<row.count {
                // The address has room for the count, because that is what the call means.
                read(scalar, fields["$\(index)"], next.key, to: address + index * size)
            }
        } catch {
            fail(error.under(path(next.key)))
        }
    }

    private func refuse(_ code: String) {
        let words = "values of the C type “\(PrintableText(code, limit: 40))” are not coded"
        fail(ArchiveError(.inexpressible, words))
    }

    private func read(_ code: ScalarCode, _ value: ArchiveValue?, _ key: String, to address: UnsafeMutableRawPointer) {
        switch code {
        case .int8: store(value, key, to: address, Int8(0)) { value throws(Misfit) in try value.asInteger() }
        case .uint8: store(value, key, to: address, UInt8(0)) { value throws(Misfit) in try value.asInteger() }
        case .int16: store(value, key, to: address, Int16(0)) { value throws(Misfit) in try value.asInteger() }
        case .uint16: store(value, key, to: address, UInt16(0)) { value throws(Misfit) in try value.asInteger() }
        case .int32, .long: store(value, key, to: address, Int32(0)) { value throws(Misfit) in try value.asInteger() }
        case .uint32, .ulong:
            store(value, key, to: address, UInt32(0)) { value throws(Misfit) in try value.asInteger() }
        case .int64: store(value, key, to: address, Int64(0)) { value throws(Misfit) in try value.asInteger() }
        case .uint64: store(value, key, to: address, UInt64(0)) { value throws(Misfit) in try value.asInteger() }
        case .float: store(value, key, to: address, Float(0)) { value throws(Misfit) in try value.asFloat() }
        case .double: store(value, key, to: address, Double(0)) { value throws(Misfit) in try value.asDouble() }
        case .bool: store(value, key, to: address, false) { value throws(Misfit) in try value.asBool() }
        case .object: break
        }
    }

    private func store<Value>(
        _ value: ArchiveValue?,
        _ key: String,
        to address: UnsafeMutableRawPointer,
        _ zero: Value,
        _ read: (ArchiveValue) throws(Misfit) -> Value
    ) {
        guard value != nil else { return }
        let result = scalar(value, key: key, zero: zero, read)
        // The address is of this type, because the caller names it in `type`.
        if failure == nil { address.storeBytes(of: result, as: Value.self) }
    }
}
