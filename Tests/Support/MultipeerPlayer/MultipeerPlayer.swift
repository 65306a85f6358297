import MultipeerConnectivity

/// An app for tests between hosts. It performs the commands that it reads, line by line, and prints the calls of its
/// delegates. It uses MultipeerConnectivity alone.
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
        // A run loop without sources ends at once. The run loops of apps have windows.
        RunLoop.main.add(Timer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in }, forMode: .default)
        RunLoop.main.run()
    }
}
