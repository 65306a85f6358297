public import Foundation
import LinuxPlatform
import Session
import Vocabulary

/// Lets others see a peer, and asks the person at the terminal about each invitation: yes, no, or never again.
///
/// `@unchecked Sendable` because what changes in it is behind a lock.
open class MCAdvertiserAssistant: NSObject, @unchecked Sendable {
    private let advertiser: MCNearbyServiceAdvertiser
    private let meetingPlace: MCSession
    /// Set while it is made, and never again.
    private var screen: any PersonScreen = TerminalScreen()
    private let told = Guarded(Told())
    /// Where the app is told and the terminal written to, which may both take long.
    private let queue = DispatchQueue(label: "MCAdvertiserAssistant")
    /// Who waits for the person, the latest invitation of each. Whose is over leaves when another comes: so there are no more than the engine lets wait.
    @Engine private var waiting: [Invitation] = []
    @Engine private var isAsking = false

    private struct Told {
        weak var delegate: (any MCAdvertiserAssistantDelegate)?
    }

    private struct Invitation {
        let peer: MCPeerID
        let answer: Answer
    }

    /// - Parameters:
    ///   - serviceType: 1 to 15 letters, digits and single hyphens; anything else ends the program
    ///   - info: up to about 400 bytes; everybody can read it
    ///   - session: where those come who are let in
    public init(serviceType: String, discoveryInfo info: [String: String]?, session: MCSession) {
        advertiser = MCNearbyServiceAdvertiser(
            peer: session.myPeerID,
            discoveryInfo: info,
            serviceType: serviceType
        )
        meetingPlace = session
        super.init()
    }

    convenience init(serviceType: String, session: MCSession, on screen: any PersonScreen) {
        self.init(serviceType: serviceType, discoveryInfo: nil, session: session)
        self.screen = screen
    }

    /// Where those come who are let in.
    open var session: MCSession { meetingPlace }

    /// What else others see, before they connect.
    open var discoveryInfo: [String: String]? { advertiser.discoveryInfo }

    /// What is advertised.
    open var serviceType: String { advertiser.serviceType }

    /// Who is told. It is not kept alive.
    open weak var delegate: (any MCAdvertiserAssistantDelegate)? {
        get { told.withLock { $0.delegate } }
        set { told.withLock { $0.delegate = newValue } }
    }

    /// From now on others see this peer and can invite it.
    open func start() {
        advertiser.start { [weak self] peer, _, answer in
            guard let self else { return answer(nil) }
            self.take(Invitation(peer: peer, answer: answer))
        }
    }

    /// Others see this peer no more.
    open func stop() { advertiser.stopAdvertisingPeer() }

    /// One question after the other, and one for each peer.
    @Engine
    private func take(_ invitation: Invitation) {
        waiting.removeAll { $0.peer == invitation.peer || !$0.answer.isAwaited }
        waiting.append(invitation)
        guard !isAsking else { return }
        isAsking = true
        Engine.begin {
            while let next = self.waiting.first {
                self.waiting.removeFirst()
                // The inviter may have given up.
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
        // Whoever has given up and invited again meanwhile is answered by that, too.
        let answer = waiting.first { $0.peer == peer }?.answer ?? invitation.answer
        waiting.removeAll { $0.peer == peer }
        var words: String?
        switch choice {
        case "y":
            if !answer.isAwaited { words = "\(peer) does not wait any more.\n" }
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
        // It is not cancelled, and nobody lets it fail.
        try? await isDone.value()
    }
}
