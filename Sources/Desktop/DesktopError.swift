package import Vocabulary

/// A failure to show notifications on the desktop.
package struct DesktopError: ExplainedError {
    package let code: ErrorCode
    package let message: String
    package let nextStep: String

    static func noBus(_ reason: String) -> DesktopError {
        DesktopError(
            code: "desktop.no-bus",
            message: "the session bus does not respond: \(PrintableText(reason))",
            nextStep: "log in to a desktop, or set “notifications: false” on a machine without one"
        )
    }

    static func noService(_ name: String) -> DesktopError {
        DesktopError(
            code: "desktop.no-service",
            message: "this desktop has no notification service: \(PrintableText(name))",
            nextStep: "start a notification service, or set “notifications: false”"
        )
    }
}
