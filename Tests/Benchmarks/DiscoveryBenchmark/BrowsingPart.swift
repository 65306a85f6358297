import Discovery
import Glibc
import LinuxPlatform
import Vocabulary

/// Browses until a number of peers is in the list, reports that, and continues.
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
