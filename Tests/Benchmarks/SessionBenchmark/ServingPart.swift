import LinuxPlatform
import Session
import Vocabulary

/// The answering side: `serve FOLDER PEER TARGET [PORT]` accepts that peer, echoes or counts messages, reads streams to
/// their end, and stores files in the target.
@Engine
struct ServingPart {
    private let folder: String
    private let peer: PeerID
    private let target: String
    private let port: UInt16

    init(_ words: [String]) throws {
        guard words.count >= 3, let peer = try? PeerID(words[1]) else { throw BadWord(words: words) }
        (folder, self.peer, target) = (words[0], peer, words[2])
        port = words.count > 3 ? UInt16(words[3]) ?? OwnNode.port : OwnNode.port
    }

    func run() async throws {
        let own = try await OwnNode.open(folder, port: port)
        try await own.befriend(peer)
        say("ready")
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let session = try await own.nextJoined()
                group.addTask { await Self.serve(session, target) }
            }
        }
    }

    /// The last message of a sender.
    static let mark: [UInt8] = [1]

    static func serve(_ session: Session, _ target: String) async {
        let sendsBack = session.configuration.name.text != "count"
        await withDiscardingTaskGroup { group in
            while let event = await session.events.next() {
                switch event {
                case .message(let message):
                    guard sendsBack || message.bytes == mark else { continue }
                    try? await session.send(message.bytes, to: [message.peer])
                case .stream(let stream): group.addTask { while (try? await stream.read()) ?? nil != nil {} }
                case .resource(let resource): group.addTask { try? await resource.accept(into: target) }
                default: break
                }
            }
        }
    }
}
