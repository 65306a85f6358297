package import Vocabulary

/// Why nothing can be shown on the desktop.
package struct DesktopError: ExplainedError {
    package let code: ErrorCode
    package let message: String
    package let nextStep: String

    static func noBus(_ reason: String) -> DesktopError {
        DesktopError(
            code: "desktop.no-bus",
            message: "the session bus does not answer (\(PrintableText(reason)))",
            nextStep: "log in to a desktop, or set “notifications: false” where there is none"
        )
    }

    static func noService(_ name: String) -> DesktopError {
        DesktopError(
            code: "desktop.no-service",
            message: "nothing on this desktop shows notifications (\(PrintableText(name)))",
            nextStep: "start a program that does, or set “notifications: false”"
        )
    }
}
