import Glibc
import LinuxPlatform
import Testing

@Suite("System error", .timeLimit(.minutes(1)))
struct SystemErrorTests {
    @Test(
        "An error shows its path without invisible or moving characters",
        arguments: [
            ("a\u{202E}b", #"a\u{202e}b"#), ("a\u{200B}b", #"a\u{200b}b"#),
            ("a\nhuddled: b", #"a\u{a}huddled: b"#), ("\u{1B}[31m", #"\u{1b}[31m"#),
            ("/games/Käte’s", "/games/Käte’s"),
        ]
    )
    func shown(subject: String, expected: String) {
        let error = SystemError("openat2", ENOENT, on: subject)
        #expect(error.description == "No such file or directory (openat2 \(expected))")
        #expect(error.subject == subject)
    }
}
