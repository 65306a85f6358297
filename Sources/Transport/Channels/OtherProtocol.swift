/// A protocol other than TLS at the other end, recognized by its first bytes, so that an error can name the program
/// there.
enum OtherProtocol {
    case http
    case ssh
    case mail
    case unknown

    /// The number of bytes that the recognition needs.
    static let beginningCount = 5

    /// - Parameter beginning: the first bytes that were received; the result is nil if they are TLS
    init?(_ beginning: [UInt8]) {
        // A record of TLS begins with its type, 20 to 24, and with a version whose first byte is 3.
        guard beginning.count >= 3, !((20...24).contains(beginning[0]) && beginning[1] == 3) else { return nil }
        self =
            if beginning.starts(with: "HTTP/".utf8) {
                .http
            } else if beginning.starts(with: "SSH-".utf8) {
                .ssh
            } else if beginning.starts(with: "220".utf8) {
                .mail
            } else {
                .unknown
            }
    }

    var sentence: String {
        switch self {
        case .http: "is a web server"
        case .ssh: "is an SSH server"
        case .mail: "is a mail or file server"
        case .unknown: "does not speak TLS"
        }
    }
}
