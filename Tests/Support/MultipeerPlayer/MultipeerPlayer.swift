import MultipeerConnectivity

/// An app for tests between hosts: it does what it reads, line by line, and prints what its delegates are told. It knows nothing but
/// MultipeerConnectivity.
@main
enum MultipeerPlayer {
    static func main() {
        guard let wishes = Wishes(Array(CommandLine.arguments.dropFirst())) else {
            print(Wishes.usage)
            exit(2)
        }
        let player = Player(wishes)
        Thread.detachNewThread {
            while let line = readLine() { player.obey(line) }
            exit(0)
        }
        // A run loop that has nothing ends at once. Apps have their windows in it.
        RunLoop.main.add(Timer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in }, forMode: .default)
        RunLoop.main.run()
    }
}
