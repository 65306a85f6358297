package import LinuxPlatform

/// The board of all events. Each reader receives all of them in order, from the moment it follows.
///
/// The board waits for no reader. A slow one misses events and learns how many; the ledger keeps those that matter.
@Engine
package final class NewsBoard {
    private struct Following {
        weak var reader: NewsReader?
    }

    private var following: [Following] = []
    /// A callback after each event.
    var whenPut: @Engine @Sendable () -> Void = {}

    nonisolated init() {}

    /// Follows from now on, as long as the caller holds the reader.
    package func follow() -> NewsReader {
        let reader = NewsReader()
        following.append(Following(reader: reader))
        return reader
    }

    /// The number of readers.
    package var readerCount: Int { following.count { $0.reader != nil } }

    func put(_ news: DaemonLine) {
        following.removeAll { $0.reader == nil }
        for one in following { one.reader?.add(news) }
        whenPut()
    }
}
