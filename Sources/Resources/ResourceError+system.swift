import Glibc
public import LinuxPlatform
import Vocabulary

extension ResourceError {
    /// An error of the kernel with a next step.
    public init(_ error: SystemError, at path: String) {
        let trouble = DiskTrouble(error)
        self.init(
            Self.code(of: trouble),
            trouble.message(about: Self.quoted(path)),
            // For a missing file the message says everything.
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

/// Runs system calls for a path and converts their errors.
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
