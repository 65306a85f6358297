public import SecureArchive

/// One field of a model: its key in trees, its place in the model, and its form.
public struct Field<Model: Sendable>: Sendable {
    /// The keys of a field.
    enum Name: Sendable {
        /// A key, and other keys of older saves.
        case key(String, others: [String])
        /// All keys that no other field has.
        case rest
    }

    let name: Name
    let isRequired: Bool
    /// The type in a keyed archive.
    let archiveType: ArchiveType
    let read: @Sendable (ArchiveValue, inout Model, inout ModelReading) -> Void
    /// The value to write; nil omits the key.
    let write: @Sendable (Model, ModelStyle, ArchiveValue?) -> ArchiveValue?

    /// Creates a field that must exist.
    /// - Parameter others: other names that programs have written
    public static func required<Value>(
        _ key: String,
        _ path: any WritableKeyPath<Model, Value> & Sendable,
        _ form: FieldForm<Value>,
        alsoCalled others: [String] = []
    ) -> Field {
        Field(name: .key(key, others: others), isRequired: true, archiveType: form.archiveType) {
            value,
            model,
            reading in
            if let found = form.read(value, &reading) { model[keyPath: path] = found }
        } write: { model, style, original in
            form.write(model[keyPath: path], style, original)
        }
    }

    /// Creates a field that may be missing, or `null`, which means the same here. Nil is not written.
    /// - Parameter others: other names that programs have written
    public static func optional<Value>(
        _ key: String,
        _ path: any WritableKeyPath<Model, Value?> & Sendable,
        _ form: FieldForm<Value>,
        alsoCalled others: [String] = []
    ) -> Field {
        Field(name: .key(key, others: others), isRequired: false, archiveType: form.archiveType) {
            value,
            model,
            reading in
            if value.untagged == .null { return }
            if let found = form.read(value, &reading) { model[keyPath: path] = found }
        } write: { model, style, original in
            model[keyPath: path].map { form.write($0, style, original) }
        }
    }

    /// Creates a field that keeps the model's default if it is missing or `null`. It is always written.
    /// - Parameter others: other names that programs have written
    public static func defaulting<Value>(
        _ key: String,
        _ path: any WritableKeyPath<Model, Value> & Sendable,
        _ form: FieldForm<Value>,
        alsoCalled others: [String] = []
    ) -> Field {
        let required = required(key, path, form, alsoCalled: others)
        return Field(name: required.name, isRequired: false, archiveType: form.archiveType) { value, model, reading in
            if value.untagged == .null { return }
            required.read(value, &model, &reading)
        } write: { model, style, original in
            required.write(model, style, original)
        }
    }

    /// Creates a field for all keys that no other field has, unchanged: for keys that are known only after reading.
    public static func rest(_ path: any WritableKeyPath<Model, ArchiveFields> & Sendable) -> Field {
        Field(name: .rest, isRequired: false, archiveType: .any) { value, model, _ in
            if case .dictionary(let fields) = value { model[keyPath: path] = fields }
        } write: { model, _, _ in
            .dictionary(model[keyPath: path])
        }
    }

    var key: String? {
        if case .key(let key, _) = name { key } else { nil }
    }
}
