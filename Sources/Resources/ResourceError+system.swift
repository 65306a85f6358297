import Glibc
public import LinuxPlatform
import Vocabulary

extension ResourceError {
    /// What the kernel refused, in terms of what can be done about it.
    public init(_ error: SystemError, at path: String) {
        let trouble = DiskTrouble(error)
        self.init(
            Self.code(of: trouble),
            trouble.message(about: Self.quoted(path)),
            // That something is not there needs no second word for it.
            cause: error.number == ENOENT ? nil : error,
            nextStep: trouble.nextStep
        )
    }

    private static func code(of trouble: DiskTrouble) -> ErrorCode {
        switch trouble {
        case .noSpace: ErrorCode(.noSpace, "resource.no-space")
        case .quota: ErrorCode(.noSpace, "resource.quota")
        case .fileTooLarge: ErrorCode(.file, "resource.file-too-large")
        case .readOnly: ErrorCode(.readOnly, "resource.read-only")
        case .noPermission: ErrorCode(.noPermission, "resource.no-permission")
        case .notFound: ErrorCode(.file, "resource.not-found")
        case .tooManyOpen: ErrorCode(.file, "resource.too-many-open")
        case .other: ErrorCode(.file, "resource.disk")
        }
    }
}

/// Makes calls into the kernel on behalf of a path and explains what they refuse.
func explaining<Value: ~Copyable>(
    _ path: @autoclosure () -> String,
    _ body: () throws(SystemError) -> Value
) throws(ResourceError) -> Value {
    do {
        return try body()
    } catch {
        throw ResourceError(error, at: path())
    }
}
