import LinuxPlatform
import Testing
import Vocabulary

@testable import Discovery

/// The table against the simplest correct model: sets of reports that were not withdrawn.
@Suite("Peer table against a model")
struct PeerTableModelTests {
    private struct Model {
        var sightings: [Int: [UInt32: Int]] = [:]
        var resolved: Set<Int> = []
        var addressed: Set<Int> = []

        var listed: Set<Int> { Set(sightings.keys).intersection(resolved).intersection(addressed) }
    }

    @Test("After any history of sightings, answers and goodbyes the list equals the model", arguments: 0..<200)
    func randomHistories(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bench = TableBench()
        var model = Model()
        for _ in 0..<120 {
            try step(&bench, &model, &generator)
            let listed = Set(try model.listed.map { try InstanceName("Peer \($0)").description })
            #expect(Set(bench.names) == listed)
        }
        var reported: [FoundPeer.Origin: FoundPeer] = [:]
        for change in bench.table.takeChanges() {
            #expect(reported[change.origin] != change.peer, "a change without a difference")
            reported[change.origin] = change.peer
        }
        #expect(reported == bench.table.listed)
    }

    private func step(_ bench: inout TableBench, _ model: inout Model, _ generator: inout SeededGenerator) throws {
        let number = Int.random(in: 0..<4, using: &generator)
        let link = Bool.random(using: &generator) ? bench.eth0 : bench.wlan0
        let name = try InstanceName("Peer \(number)")
        let host = "host\(number).local."
        switch Int.random(in: 0..<5, using: &generator) {
        case 0, 1:
            bench.table.appeared(name, on: link, at: bench.now)
            model.sightings[number, default: [:]][link.index, default: 0] += 1
        case 2:
            bench.table.vanished(name, from: link, isLinkUp: true, at: bench.now)
            guard let count = model.sightings[number]?[link.index] else { return }
            model.sightings[number]?[link.index] = count > 1 ? count - 1 : nil
            if model.sightings[number]?.isEmpty == true {
                model.sightings[number] = nil
                model.resolved.remove(number)
                model.addressed.remove(number)
            }
        case 3:
            bench.table.resolved(name, to: .init(host: host, port: 1, txt: TXTRecord()), at: bench.now)
            guard model.sightings[number] != nil else { return }
            model.resolved.insert(number)
            if bench.table.hosts[host]?.isEmpty == false { model.addressed.insert(number) }
        default:
            bench.table.appeared(.v4(10, 0, 0, UInt8(number)), of: host, at: bench.now)
            if model.resolved.contains(number) { model.addressed.insert(number) }
        }
    }
}
