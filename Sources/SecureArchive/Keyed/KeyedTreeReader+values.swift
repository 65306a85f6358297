/// The standard value classes: the exact parts of their objects.
extension KeyedTreeReader {
    /// - Parameter mayHoldNothing: true if a collection may contain “no object”, as writers without `NSNull` write it
    mutating func value(
        of kind: KeyedValueClass,
        _ fields: ArchiveFields,
        mayHoldNothing: Bool
    ) throws(ArchiveError) -> ArchiveValue {
        switch kind {
        case .dictionary: return try dictionary(fields, mayHoldNothing: mayHoldNothing)
        case .array:
            let references = try only("NS.objects", of: fields)
            return .array(try elements(references, at: "NS.objects", mayHoldNothing: mayHoldNothing))
        case .set:
            let references = try only("NS.objects", of: fields)
            return .array(try distinct(references, mayHoldNothing: mayHoldNothing))
        case .orderedSet: return .array(try orderedSet(fields))
        case .string: return .string(try string(fields))
        case .number: return try number(only("NS.number", of: fields))
        case .data: return .data(try bytes(only("NS.data", of: fields), at: "NS.data"))
        case .date: return .date(try date(only("NS.time", of: fields)))
        case .uuid:
            // GNUstep has another key for the same bytes.
            let key = fields["uuid"] == nil ? "NS.uuidbytes" : "uuid"
            return .string(try uuid(only(key, of: fields)))
        case .url: return try url(fields)
        case .null:
            guard fields.count == 1 else { throw ArchiveError(.damaged, "NSNull has no fields") }
            return .null
        }
    }

    private func only(_ key: String, of fields: ArchiveFields) throws(ArchiveError) -> ArchiveValue {
        try allow([key], of: fields)
        return try required(key, of: fields)
    }

    private func required(_ key: String, of fields: ArchiveFields) throws(ArchiveError) -> ArchiveValue {
        guard let value = fields[key] else { throw ArchiveError(.damaged, "it is missing").inside(.key(key)) }
        return value
    }

    private func allow(_ keys: [String], of fields: ArchiveFields) throws(ArchiveError) {
        let stranger = fields.keys.first { key in key != "$class" && !keys.contains { $0.isLiterally(key) } }
        if let stranger { throw ArchiveError(.notAllowed, "its class has no such field").inside(.key(stranger)) }
    }

    private func references(_ value: ArchiveValue, at key: String) throws(ArchiveError) -> [ArchiveValue] {
        guard case .array(let references) = value else {
            throw ArchiveError(.damaged, "it is no list of objects").inside(.key(key))
        }
        return references
    }

    private mutating func elements(
        _ value: ArchiveValue,
        at key: String,
        mayHoldNothing: Bool
    ) throws(ArchiveError) -> [ArchiveValue] {
        let references = try references(value, at: key)
        var made: [ArchiveValue] = []
        made.reserveCapacity(references.count)
        for (position, reference) in references.enumerated() {
            do {
                made.append(try element(reference, mayBeNothing: mayHoldNothing))
            } catch {
                throw error.inside([.key(key), .index(position)])
            }
        }
        return made
    }

    private mutating func element(_ reference: ArchiveValue, mayBeNothing: Bool)
        throws(ArchiveError) -> ArchiveValue
    {
        guard case .reference(let number) = reference else {
            throw ArchiveError(.damaged, "it names no object")
        }
        if number == 0, mayBeNothing { return .null }
        return try object(number)
    }

    /// The elements of a set. A duplicate is refused, because it would vanish silently.
    private mutating func distinct(_ listed: ArchiveValue, mayHoldNothing: Bool)
        throws(ArchiveError) -> [ArchiveValue]
    {
        let made = try elements(listed, at: "NS.objects", mayHoldNothing: mayHoldNothing)
        var seen = DistinctObjects()
        for (position, reference) in try references(listed, at: "NS.objects").enumerated() {
            guard seen.insert(reference, made[position]) else {
                let error = ArchiveError(.damaged, "a set holds an object twice")
                throw error.inside([.key("NS.objects"), .index(position)])
            }
        }
        return made
    }

    private mutating func dictionary(
        _ fields: ArchiveFields,
        mayHoldNothing: Bool
    ) throws(ArchiveError) -> ArchiveValue {
        try allow(["NS.keys", "NS.objects"], of: fields)
        let named = try references(required("NS.keys", of: fields), at: "NS.keys")
        let made = try elements(required("NS.objects", of: fields), at: "NS.objects", mayHoldNothing: mayHoldNothing)
        guard named.count == made.count else {
            throw ArchiveError(.damaged, "there are \(named.count) keys and \(made.count) values")
        }
        var lists = keyLists
        defer { keyLists = lists }
        let keys = try lists.keys(named) { references throws(ArchiveError) in try texts(references) }
        let read = ArchiveValue.dictionary(ArchiveFields(keys, values: made))
        guard let first = named.first,
            NumberKey.text(of: try element(first, mayBeNothing: false)) != nil
        else {
            return read
        }
        try budget.holdTag()
        return .tagged(.numberKeys, read)
    }

    private mutating func texts(_ references: [ArchiveValue]) throws(ArchiveError) -> LiteralStrings {
        try budget.hold(keys: references.count)
        var keys = LiteralStrings(reserving: references.count)
        var areNumbers: Bool?
        for (position, reference) in references.enumerated() {
            do throws(ArchiveError) {
                let key = try element(reference, mayBeNothing: false)
                let number = NumberKey.text(of: key)
                if let areNumbers, areNumbers != (number != nil) {
                    throw ArchiveError(.notAllowed, "keys are texts or numbers, and not both")
                }
                areNumbers = number != nil
                guard let text = number ?? key.text else {
                    throw ArchiveError(.notAllowed, "a key is no text")
                }
                if number != nil { try budget.hold(text: text.utf8.count) }
                guard keys.insert(text).isNew else { throw ArchiveError(.damaged, "a key occurs twice") }
            } catch {
                throw error.inside([.key("NS.keys"), .index(position)])
            }
        }
        return keys
    }

    /// The elements under numbered keys, as Apple's writer has them, or in a list, as other writers do.
    private mutating func orderedSet(_ fields: ArchiveFields) throws(ArchiveError) -> [ArchiveValue] {
        if let listed = fields["NS.objects"] {
            try allow(["NS.objects"], of: fields)
            return try distinct(listed, mayHoldNothing: false)
        }
        var made: [ArchiveValue] = []
        var seen = DistinctObjects()
        while made.count < fields.count - 1 {
            let key = "NS.object.\(made.count)"
            do throws(ArchiveError) {
                guard let reference = fields[key] else { throw ArchiveError(.damaged, "it is missing") }
                let element = try element(reference, mayBeNothing: false)
                guard seen.insert(reference, element) else {
                    throw ArchiveError(.damaged, "a set holds an object twice")
                }
                made.append(element)
            } catch {
                throw error.inside(.key(key))
            }
        }
        return made
    }

    private mutating func string(_ fields: ArchiveFields) throws(ArchiveError) -> String {
        try allow(["NS.string", "NS.bytes"], of: fields)
        switch (fields["NS.string"], fields["NS.bytes"]) {
        case (.string(let text), nil): return text
        case (nil, let bytes?):
            let utf8 = try self.bytes(bytes, at: "NS.bytes")
            do throws(ArchiveError) {
                try budget.check(textBytes: utf8.count)
                try budget.hold(text: utf8.count)
            } catch {
                throw error.inside(.key("NS.bytes"))
            }
            guard let text = String(validating: utf8, as: UTF8.self) else {
                throw ArchiveError(.damaged, "it is no UTF-8").inside(.key("NS.bytes"))
            }
            return text
        default: throw ArchiveError(.damaged, "it is missing or no text").inside(.key("NS.string"))
        }
    }

    private func number(_ value: ArchiveValue) throws(ArchiveError) -> ArchiveValue {
        switch value {
        case .bool, .integer, .real: return value
        default: throw ArchiveError(.damaged, "it is no number").inside(.key("NS.number"))
        }
    }

    /// Bytes within the object, as Apple's writer has them, or as an object of their own.
    private mutating func bytes(_ value: ArchiveValue, at key: String) throws(ArchiveError)
        -> [UInt8]
    {
        if case .data(let bytes) = value { return bytes }
        if case .reference(let number) = value, case .data(let bytes)? = try? object(number) { return bytes }
        throw ArchiveError(.damaged, "it is no data").inside(.key(key))
    }

    private func date(_ value: ArchiveValue) throws(ArchiveError) -> ArchiveDate {
        let seconds: Double? =
            switch value {
            case .real(let real): real.value
            case .integer(let integer): integer.value(as: Int32.self).map(Double.init)
            default: nil
            }
        guard let seconds, let date = ArchiveDate(secondsSince2001: seconds) else {
            throw ArchiveError(.damaged, "it is no instant").inside(.key("NS.time"))
        }
        return date
    }

    private mutating func uuid(_ value: ArchiveValue) throws(ArchiveError) -> String {
        guard let text = UUIDText.text(of: try bytes(value, at: "NS.uuidbytes")) else {
            throw ArchiveError(.damaged, "it does not have 16 bytes").inside(.key("NS.uuidbytes"))
        }
        try budget.hold(text: text.utf8.count)
        return text
    }

    /// A text; for a relative URL also its base.
    private mutating func url(_ fields: ArchiveFields) throws(ArchiveError) -> ArchiveValue {
        try allow(["NS.base", "NS.relative"], of: fields)
        let relative: String
        do throws(ArchiveError) {
            guard case .string(let text) = try element(required("NS.relative", of: fields), mayBeNothing: false) else {
                throw ArchiveError(.damaged, "it is no text")
            }
            relative = text
        } catch {
            throw error.path.isEmpty ? error.inside(.key("NS.relative")) : error
        }
        guard let base = fields["NS.base"], base != .reference(0) else { return .string(relative) }
        do throws(ArchiveError) {
            guard case .tagged(.nsURL, let address) = try element(base, mayBeNothing: false) else {
                throw ArchiveError(.damaged, "it is no URL")
            }
            return .dictionary(["base": address, "relative": .string(relative)])
        } catch {
            throw error.inside(.key("NS.base"))
        }
    }
}

extension ArchiveValue {
    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
