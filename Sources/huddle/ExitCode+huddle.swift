import CommandTable

/// The exit codes of `huddle`, which `docs/exit-codes.md` explains.
extension ExitCode {
    /// Something went wrong that has no code of its own.
    static let failure = ExitCode(1, "something went wrong; the message says what")

    /// Discovery could not work at all.
    static let noAvahi = ExitCode(3, "avahi-daemon was not there all the time, so that nothing could be found")
}
