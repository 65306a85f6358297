package import LinuxPlatform

/// Where everything that happens is put up for those who follow it: each sees all of it in order, from the moment it began to follow.
///
/// Nobody waits for a reader. One that falls far behind misses news and is told how many; what matters is kept in the ledger.
@Engine
package final class NewsBoard {
    private struct Following {
        weak var reader: NewsReader?
    }

    private var following: [Following] = []
    /// What is called whenever something has happened.
    var whenPut: @Engine @Sendable () -> Void = {}

    nonisolated init() {}

    /// Follows from now on, for as long as the reader is held.
    package func follow() -> NewsReader {
        let reader = NewsReader()
        following.append(Following(reader: reader))
        return reader
    }

    /// How many follow.
    package var readerCount: Int { following.count { $0.reader != nil } }

    func put(_ news: SessionNews) {
        following.removeAll { $0.reader == nil }
        for one in following { one.reader?.add(news) }
        whenPut()
    }
}
