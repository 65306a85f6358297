import Foundation
import Yardstick

/// Several ways to do the same, in turns. The best round counts, since other work on the machine only adds time.
struct Contest {
    private let title: String
    private let rounds: Int
    private var contenders: [Contender] = []

    private struct Contender {
        let name: String
        let bytes: Int
        /// Does it once and returns the time that it took.
        let run: () throws -> Double
        var best = Double.infinity

        var speed: Double { Double(bytes) / 1e6 / best }
    }

    init(_ title: String, rounds: Int) {
        self.title = title
        self.rounds = rounds
    }

    /// A contender in this process, with an archive of a number of bytes.
    mutating func add(_ name: String, bytes: Int, _ body: @escaping () throws -> Void) {
        contenders.append(
            Contender(name: name, bytes: bytes) {
                let before = processorSeconds()
                try body()
                return processorSeconds() - before
            }
        )
    }

    /// A contender in another program, which reports its time.
    mutating func add(_ name: String, bytes: Int, elsewhere run: @escaping () throws -> Double) {
        contenders.append(Contender(name: name, bytes: bytes, run: run))
    }

    /// Prints the results. Ratios compare the others with the first, which is Huddle's.
    mutating func run() throws {
        for _ in 0..<rounds {
            for index in contenders.indices {
                contenders[index].best = min(contenders[index].best, try contenders[index].run())
            }
        }
        print("  \(title)")
        for contender in contenders {
            let ratio = contenders[0].speed / contender.speed
            let size = text(Double(contender.bytes) / 1e6, 1)
            print("    \(contender.name): \(text(contender.speed, 1)) MB/s of \(size) MB; ours is \(text(ratio, 1)) ×")
        }
    }
}

/// Python's own property lists, timed by Python.
enum Python {
    private static let program = """
        import plistlib, sys, time
        data = open(sys.argv[2], 'rb').read()
        start = time.process_time()
        value = plistlib.loads(data)
        read = time.process_time() - start
        start = time.process_time()
        plistlib.dumps(value, fmt=plistlib.FMT_BINARY)
        print(read if sys.argv[1] == 'read' else time.process_time() - start)
        """

    static func seconds(_ what: String, _ data: Data) throws -> Double {
        let file = FileManager.default.temporaryDirectory.appending(path: "archive-benchmark-\(UUID().uuidString)")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", "-c", program, what, file.path]
        let output = Pipe()
        python.standardOutput = output
        try python.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        python.waitUntilExit()
        return Double(said.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .infinity
    }
}
