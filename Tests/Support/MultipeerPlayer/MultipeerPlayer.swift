import MultipeerConnectivity

/// An app for tests between hosts: it does what it reads, line by line, and prints what its delegates are told. It knows nothing but
/// MultipeerConnectivity.
///
///     multipeer-player NAME [required | optional | none] [certificate]
@main
enum MultipeerPlayer {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        guard let name = words.first else {
            print("usage: multipeer-player NAME [required | optional | none] [certificate]")
            exit(2)
        }
        let encryption: MCEncryptionPreference =
            words.contains("none") ? .none : words.contains("optional") ? .optional : .required
        let player = Player(name, encryption, showsCertificate: words.contains("certificate"))
        Thread.detachNewThread {
            while let line = readLine() { player.obey(line) }
            exit(0)
        }
        // A run loop that has nothing ends at once. Apps have their windows in it.
        RunLoop.main.add(Timer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in }, forMode: .default)
        RunLoop.main.run()
    }
}
