/// Something that is not made for several threads, on its way from one task to another.
///
/// `@unchecked Sendable` because whoever hands it over does not touch it again until it comes back.
struct Handed<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
