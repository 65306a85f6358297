public import Foundation
import LinuxPlatform
import Session
import Vocabulary

/// Advertises a peer, and asks the user at the terminal about each invitation: yes, no, or block.
///
/// `@unchecked Sendable` because its mutable state is behind a lock.
open class MCAdvertiserAssistant: NSObject, @unchecked Sendable {
    private let advertiser: MCNearbyServiceAdvertiser
    private let ownSession: MCSession
    /// Only set during initialization.
    private var screen: any UserScreen = TerminalScreen()
    private let reports = Locked(Reports())
    /// Queue for the delegate and the terminal, as both may take long.
    private let queue = DispatchQueue(label: "MCAdvertiserAssistant")
    /// Invitations that wait for the user, the latest one of each peer. Those that ended are removed when another
    /// arrives, so the engine's limit holds here, too.
    @Engine private var waiting: [Invitation] = []
    @Engine private var isAsking = false

    private struct Reports {
        weak var delegate: (any MCAdvertiserAssistantDelegate)?
    }

    private struct Invitation {
        let peer: MCPeerID
        let answer: Answer
    }

    /// - Parameters:
    ///   - serviceType: 1 to 15 letters, digits and single hyphens; anything else ends the program
    ///   - info: at most about 400 bytes; every machine on the network can read it
    ///   - session: the session for accepted peers
    public init(serviceType: String, discoveryInfo info: [String: String]?, session: MCSession) {
        advertiser = MCNearbyServiceAdvertiser(
            peer: session.myPeerID,
            discoveryInfo: info,
            serviceType: serviceType
        )
        ownSession = session
        super.init()
    }

    convenience init(serviceType: String, session: MCSession, on screen: any UserScreen) {
        self.init(serviceType: serviceType, discoveryInfo: nil, session: session)
        self.screen = screen
    }

    /// The session for accepted peers.
    open var session: MCSession { ownSession }

    /// Further data that others see before they connect.
    open var discoveryInfo: [String: String]? { advertiser.discoveryInfo }

    /// The advertised service type.
    open var serviceType: String { advertiser.serviceType }

    /// The delegate, held weakly.
    open weak var delegate: (any MCAdvertiserAssistantDelegate)? {
        get { reports.withLock { $0.delegate } }
        set { reports.withLock { $0.delegate = newValue } }
    }

    /// Starts advertising: others can see and invite this peer.
    open func start() {
        advertiser.start { [weak self] peer, _, answer in
            guard let self else { return answer(nil) }
            self.take(Invitation(peer: peer, answer: answer))
        }
    }

    /// Stops advertising.
    open func stop() { advertiser.stopAdvertisingPeer() }

    /// Asks one question at a time, and one for each peer.
    @Engine
    private func take(_ invitation: Invitation) {
        waiting.removeAll { $0.peer == invitation.peer || !$0.answer.isAwaited }
        waiting.append(invitation)
        guard !isAsking else { return }
        isAsking = true
        Engine.begin {
            while let next = self.waiting.first {
                self.waiting.removeFirst()
                // The inviter may have stopped waiting.
                if next.answer.isAwaited { await self.ask(next) }
            }
            self.isAsking = false
        }
    }

    @Engine
    private func ask(_ invitation: Invitation) async {
        let peer = invitation.peer
        await apart { assistant in
            assistant.delegate?.advertiserAssistantWillPresentInvitation(assistant)
            assistant.screen.show("\(peer) wants to connect. [y]es / [n]o / [b]lock: ")
        }
        let choice = await screen.nextLine()?.lowercased().first
        // The answer also counts for a peer that stopped waiting and invited again.
        let answer = waiting.first { $0.peer == peer }?.answer ?? invitation.answer
        waiting.removeAll { $0.peer == peer }
        var words: String?
        switch choice {
        case "y":
            if !answer.isAwaited { words = "\(peer) no longer waits.\n" }
            answer(session)
        case "b":
            answer(nil)
            do {
                try await advertiser.block(peer)
            } catch {
                words = "\(error.localizedDescription)\n"
            }
        default: answer(nil)
        }
        await apart { [words] assistant in
            if let words { assistant.screen.show(words) }
            assistant.delegate?.advertiserAssistantDidDismissInvitation(assistant)
        }
    }

    private func apart(_ work: @escaping @Sendable (MCAdvertiserAssistant) -> Void) async {
        let isDone = Resumption<Void>()
        queue.async {
            work(self)
            isDone.resume(with: .success(()))
        }
        // The wait has no cancellation, and no code makes it fail.
        try? await isDone.value()
    }
}
