internal import SecureArchive

/// The reason why a value can't be read as a number of a type. Numbers are never converted to fit.
enum Misfit: Error {
    /// The value is of another kind.
    case kind
    /// The number would change.
    case size(String)
}

extension ArchiveValue {
    func asBool() throws(Misfit) -> Bool {
        guard case .bool(let answer) = self else { throw .kind }
        return answer
    }

    func asInteger<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(Misfit) -> Number {
        guard case .integer(let integer) = self else { throw .kind }
        guard let number = integer.value(as: type) else { throw .size("\(integer) does not fit into \(type)") }
        return number
    }

    /// The value as a `Double`; a whole number counts if it stays the same.
    func asDouble() throws(Misfit) -> Double {
        switch self {
        case .real(let real): return real.value
        case .integer(let integer):
            guard let number = integer.exactDouble else {
                throw .size("\(integer) is too long for a Double, which would round it")
            }
            return number
        default: throw .kind
        }
    }

    /// The value as a `Float`. More digits are rounded, as the type always does, but never to infinity or zero.
    func asFloat() throws(Misfit) -> Float {
        let number = try asDouble()
        let near = Float(number)
        guard near.isFinite || !number.isFinite, near != 0 || number == 0 else {
            throw .size("\(number) does not fit into Float")
        }
        return near
    }

    /// The value without the names of its classes.
    var untagged: ArchiveValue {
        var value = self
        while case .tagged(_, let inner) = value { value = inner }
        return value
    }

    /// For messages.
    var kindText: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .integer: "a whole number"
        case .real: "a number with a fraction"
        case .string: "text"
        case .data: "data"
        case .date: "a date"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .reference: "a reference"
        case .tagged(let name, _): "a \(name)"
        }
    }
}
