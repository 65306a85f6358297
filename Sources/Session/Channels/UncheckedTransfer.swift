/// A value that is not safe for several threads, on its way from one task to another.
///
/// `@unchecked Sendable` because the task that hands it over does not touch it again until it comes back.
struct UncheckedTransfer<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
