import Glibc
import LabKit
import LinuxPlatform
import Transport
import Vocabulary
import Yardstick

/// Starts the two sides of a measurement on two hosts, and collects their output.
struct Bench: Sendable {
    let lab: Lab
    let program: String
    let near: Member
    let far: [Member]

    static let peers = 8

    /// A future node with its identity, so that other nodes can trust it before its start.
    struct Member: Sendable {
        let folder: String
        let id: PeerID

        init(_ name: String) throws {
            folder = "\(Place.memory)/\(name)"
            id = try Identity.loadOrCreate(in: folder).peerID
        }
    }

    init(lab: Lab, program: String) throws {
        (self.lab, self.program) = (lab, program)
        near = try Member("near")
        far = try (1...Self.peers).map { try Member("far-\($0)") }
    }

    /// The output of one side: words, each with a number.
    struct Said: Sendable {
        var values: [String: Double] = [:]

        subscript(_ word: String) -> Double { values[word] ?? .nan }

        /// Adds the figures of the answering side: processor times are added, and the highest peak counts.
        mutating func add(_ after: ProcessFigures?, since before: ProcessFigures?) {
            guard let after, let before else { return }
            values["cpu", default: 0] += seconds(after.processorTime - before.processorTime)
            values["peak there"] = max(values["peak there"] ?? 0, Double(after.peakKiB))
        }
    }

    // MARK: Comparison

    func raw(_ kind: UInt8, _ count: Int, connections: Int = 1) async throws -> Said {
        let server = try await lab[2].start([program, "raw-serve"])
        try await ready(server)
        let words = [program, "raw-client", lab[2].address, "\(kind)", "\(count)", "\(connections)"]
        let before = ProcessFigures(of: server.identifier)
        var said = try await finish(lab[1].start(words))
        said.add(ProcessFigures(of: server.identifier), since: before)
        try await end(server)
        return said
    }

    private func end(_ server: ChildProcess) async throws {
        let ending = await server.terminate()
        guard ending.isSuccess else { throw BadWord(words: ["the answering side \(ending)"]) }
    }

    // MARK: Huddle

    /// One measurement between new processes, with the peak memory of both sides.
    func huddle(_ part: String, _ words: [String] = [], into target: String = Place.memory, peers: Int = 1) async throws
        -> Said
    {
        let servers = try await serve(into: target, peers)
        let before = servers.map { ProcessFigures(of: $0.identifier) }
        var said = try await finish(lab[1].start(clientWords(part, words, peers)))
        for (server, before) in zip(servers, before) {
            said.add(ProcessFigures(of: server.identifier), since: before)
            try await end(server)
        }
        return said
    }

    func serve(into target: String, _ count: Int = 1) async throws -> [ChildProcess] {
        var servers: [ChildProcess] = []
        for (place, member) in far.prefix(count).enumerated() {
            // Each one has its own folder, so that none must search for a free name.
            let folder = "\(target)/target-\(place)"
            try? Place.make(folder)
            let words = [program, "serve", member.folder, near.id.description, folder, "\(4800 + place * 10)"]
            let server = try await lab[2].start(words)
            try await ready(server)
            servers.append(server)
        }
        return servers
    }

    func clientWords(_ part: String, _ words: [String], _ peers: Int = 1) -> [String] {
        let ids = far.prefix(peers).map(\.id.description).joined(separator: ",")
        return [program, "client", near.folder, ids, lab[2].address, part] + words
    }

    /// Deletes the received files, which the next round would find otherwise.
    func clear(_ target: String) throws {
        for place in 0..<Self.peers { try Place.remove("\(target)/target-\(place)") }
    }

    // MARK: Programs

    func ready(_ child: ChildProcess) async throws {
        guard let output = child.standardOutput else { return }
        for try await line in output.lines() {
            if line == "ready" { return }
            say("  \(line)")
        }
        throw BadWord(words: ["a half of the measurement has ended"])
    }

    func finish(_ child: ChildProcess) async throws -> Said {
        let result = try await child.complete(deadline: .seconds(300))
        var said = Said()
        for line in result.standardOutput.text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            if words.count == 2, let value = Double(words[1]) {
                said.values[String(words[0])] = value
            } else {
                say("  \(line)")
            }
        }
        guard result.status.isSuccess else { throw BadWord(words: [result.standardError.text]) }
        return said
    }
}
