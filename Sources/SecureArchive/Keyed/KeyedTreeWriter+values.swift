/// The parts of objects: those of the standard value classes as Apple's archiver writes them.
extension KeyedTreeWriter {
    /// Begins an object of a value class that has its number.
    mutating func begun(
        _ payload: ArchiveValue,
        _ kind: KeyedValueClass,
        as allowed: ArchiveClass
    ) throws(ArchiveError) -> OpenObject {
        let number = beginObject()
        switch (kind, payload) {
        case (.array, .array(let elements)):
            return OpenObject(number: number, allowed: allowed, form: .list, children: elements)
        case (.set, .array(let elements)):
            return OpenObject(number: number, allowed: allowed, form: .set, children: elements)
        case (.orderedSet, .array(let elements)):
            return OpenObject(number: number, allowed: allowed, form: .orderedSet, children: elements)
        case (.dictionary, .dictionary(let fields)):
            let keys = fields.keys.map { ArchiveValue.reference(writer.add(.string($0))) }
            let form = OpenObject.Form.dictionary(keys: keys)
            return OpenObject(number: number, allowed: allowed, form: form, children: fields.values, keys: fields.keys)
        case (.dictionary, .tagged(.numberKeys, .dictionary(let fields))):
            let form = OpenObject.Form.dictionary(keys: try numberKeys(of: fields))
            return OpenObject(
                number: number,
                allowed: allowed,
                form: form,
                children: fields.values,
                keys: fields.keys
            )
        case (.url, _): return try url(payload, number, as: allowed)
        case (.string, .string): writer.put(payload, for: "NS.string", in: number)
        case (.data, .data): writer.put(payload, for: "NS.data", in: number)
        case (.date, .date(let date)):
            writer.put(.real(ArchiveReal(secondsOf: date)), for: "NS.time", in: number)
        case (.uuid, .string(let text)):
            guard let bytes = UUIDText.bytes(of: text) else {
                throw ArchiveError(.inexpressible, "the text is no UUID")
            }
            writer.put(.data(bytes), for: "NS.uuidbytes", in: number)
        case (.null, .null): break
        default: throw ArchiveError(.inexpressible, "\(payload.kindInWords) can't be of class \(allowed.name)")
        }
        return OpenObject(number: number, allowed: allowed, form: .done)
    }

    private mutating func numberKeys(of fields: ArchiveFields) throws(ArchiveError)
        -> [ArchiveValue]
    {
        var keys: [ArchiveValue] = []
        for key in fields.keys {
            guard let number = NumberKey.number(of: key) else {
                throw ArchiveError(
                    .inexpressible,
                    "the keys of this dictionary are numbers, and this is none"
                )
                .inside(.key(key))
            }
            keys.append(.reference(writer.add(number)))
        }
        return keys
    }

    private mutating func url(
        _ payload: ArchiveValue,
        _ number: UInt32,
        as allowed: ArchiveClass
    ) throws(ArchiveError) -> OpenObject {
        var (base, relative): (ArchiveValue?, ArchiveValue?) = (nil, payload)
        if case .dictionary(let parts) = payload, parts.count == 2 {
            (base, relative) = (parts["base"], parts["relative"])
        }
        guard case .string? = relative, let relative else {
            throw ArchiveError(.inexpressible, "a URL is text, or a dictionary of “base” and “relative”")
        }
        var object = OpenObject(number: number, allowed: allowed, form: .url(relative: relative))
        if let base {
            object.children = [.tagged(allowed.name, base)]
            object.keys = ["base"]
        }
        return object
    }

    /// Puts the results of an object's children into it.
    mutating func finish(_ object: OpenObject) throws(ArchiveError) {
        let (number, allowed) = (object.number, object.allowed)
        switch object.form {
        case .fields(let plan):
            writer.end(number, as: allowed, keys: plan.keysWithClass, values: object.made)
            return
        case .list: writer.put(.array(object.made), for: "NS.objects", in: number)
        case .set:
            try refuseRepetition(in: object)
            writer.put(.array(object.made), for: "NS.objects", in: number)
        case .orderedSet:
            try refuseRepetition(in: object)
            for (position, reference) in object.made.enumerated() {
                writer.put(reference, for: "NS.object.\(position)", in: number)
            }
        case .dictionary(let keys):
            writer.put(.array(keys), for: "NS.keys", in: number)
            writer.put(.array(object.made), for: "NS.objects", in: number)
        case .url(let relative):
            writer.put(object.made.first ?? .reference(0), for: "NS.base", in: number)
            writer.put(.reference(writer.add(relative)), for: "NS.relative", in: number)
        case .undeclared:
            for (position, value) in object.made.enumerated() {
                writer.put(value, for: object.keys[position], in: number)
            }
        case .done: break
        }
        writer.end(number, as: allowed.name, ancestors: allowed.ancestors)
    }

    private func refuseRepetition(in object: OpenObject) throws(ArchiveError) {
        var seen = DistinctObjects()
        for (position, reference) in object.made.enumerated() {
            guard seen.insert(reference, object.children[position]) else {
                throw ArchiveError(.inexpressible, "a set can't hold it twice").inside(.index(position))
            }
        }
    }
}
