import Discovery
import Glibc
import LinuxPlatform
import Vocabulary

/// Browses until so many peers are in the list, says so, and goes on browsing.
struct BrowsingPart {
    private let count: Int

    init(_ count: Int) {
        self.count = count
    }

    func run() async {
        let browser = Browser(for: .huddle)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await browser.run() }
            var names: Set<String> = []
            for await event in await browser.events() {
                if case .found(let peer) = event { names.insert(peer.name) }
                if names.count == count { break }
            }
            print("complete")
            fflush(nil)
        }
    }
}
