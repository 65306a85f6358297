import Vocabulary

/// The error of a command that finds no daemon.
struct NoDaemon: ExplainedError {
    let code: ErrorCode = ErrorCode(.unavailable, "command.no-daemon")
    let message: String
    let nextStep: String

    /// - Parameters:
    ///   - socket: the path of the socket at which a daemon would listen
    ///   - hasServiceManager: true if a service manager could start the daemon
    init(at socket: String, hasServiceManager: Bool = Systemd.runs) {
        message = "no huddled runs here: nothing answers at “\(PrintableText(socket, limit: 4096))”"
        nextStep =
            hasServiceManager
            ? "start it with `systemctl --user enable --now huddled`" : "start it with `huddled`, in another terminal"
    }
}
