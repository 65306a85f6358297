public import Vocabulary

/// Tells when one of several files of a folder was touched or closed by somebody who had it open for writing, without
/// looking again and again. Made for one reader.
///
/// The kernel's queue only wakes the reader; what there is to see, the reader looks at itself. So nothing piles up while the
/// reader is busy, and nothing is missed when the queue overflows. The files need not exist yet.
public final class FileWatch: Sendable {
    private let queue: Inotify
    private let names: Set<FileName>

    /// Whatever happens from now on is noticed.
    ///
    /// - Parameters:
    ///   - names: the files
    ///   - folder: the path of the folder they are in
    public init(of names: Set<FileName>, in folder: String, on loop: EventLoop) throws(SystemError) {
        queue = try Inotify(on: loop)
        self.names = names
        // Not each write: it comes before what the writer does is complete, and a large one is thousands.
        _ = try queue.add(folder, for: [.attributes, .closedAfterWriting, .movedIn], .onlyFolders)
    }

    /// Suspends until one of the files has been touched, written and closed, or replaced since the last time.
    public nonisolated(nonsending) func changed() async throws {
        while try !hasChanged() {
            try await queue.wait()
        }
    }

    private func hasChanged() throws(SystemError) -> Bool {
        try queue.takeAll().contains { event in
            // The folder has been taken away, or events were lost: the reader has to look either way.
            if !event.events.isDisjoint(with: [.overflow, .watchEnded]) { return true }
            guard let name = try? FileName(bytes: event.name) else { return false }
            return names.contains(name)
        }
    }
}
