public import Foundation
import Vocabulary

/// Shows who is there on the terminal, and lets a person choose whom to invite: what Apple's view controller of this name is to a screen.
///
/// Call ``present()`` where iOS code would present the view controller.
///
/// `@preconcurrency` as Apple's imported class is: code in the language mode of Swift 5 uses it without saying on which actor it runs.
@preconcurrency
@MainActor
open class MCBrowserViewController: NSObject, MCNearbyServiceBrowserDelegate {
    /// Who is told.
    open weak var delegate: (any MCBrowserViewControllerDelegate)?

    /// How many peers have to be in the session, this one among them, before the person can be done: 2 at the least.
    open var minimumNumberOfPeers = kMCSessionMinimumNumberOfPeers {
        didSet { minimumNumberOfPeers = max(minimumNumberOfPeers, kMCSessionMinimumNumberOfPeers) }
    }

    /// How many peers may be in the session, this one among them: 8 at the most, as with Apple. A ``MCSession`` by itself has no such limit.
    open var maximumNumberOfPeers = kMCSessionMaximumNumberOfPeers {
        didSet { maximumNumberOfPeers = min(maximumNumberOfPeers, kMCSessionMaximumNumberOfPeers) }
    }

    private let searcher: MCNearbyServiceBrowser
    private let meetingPlace: MCSession
    private var screen: any PersonScreen = TerminalScreen()
    private var found: [MCPeerID] = []
    private var isPresented = false
    private var isDismissed = false
    private var presentation = 0

    /// How long a peer may take to answer.
    private static let timeout: TimeInterval = 30

    /// Looks for peers of a service.
    public convenience init(serviceType: String, session: MCSession) {
        self.init(
            browser: MCNearbyServiceBrowser(peer: session.myPeerID, serviceType: serviceType),
            session: session
        )
    }

    /// Shows what a browser sees.
    public init(browser: MCNearbyServiceBrowser, session: MCSession) {
        searcher = browser
        meetingPlace = session
        super.init()
    }

    convenience init(_ browser: MCNearbyServiceBrowser, _ session: MCSession, on screen: any PersonScreen) {
        self.init(browser: browser, session: session)
        self.screen = screen
    }

    /// What looks for peers.
    open var browser: MCNearbyServiceBrowser? { searcher }

    /// Where those come who accept.
    open var session: MCSession { meetingPlace }

    /// Shows who is there until the person is done or wants none, and tells the delegate.
    open func present() async {
        (isPresented, isDismissed) = (true, false)
        // Those who are still there are found anew, also where it looked for them already.
        found = []
        browser?.stopBrowsingForPeers()
        presentation += 1
        let presentation = presentation
        browser?.delegate = self
        browser?.startBrowsingForPeers()
        screen.show("Looking for peers. Type a number to invite one, d when you are done, q to give up.\n")
        var isDone = false
        choosing: while let line = await screen.nextLine(), !isDismissed, presentation == self.presentation {
            switch line.trimmingCharacters(in: .whitespaces).lowercased() {
            case "": show()
            case "d" where isEnough:
                isDone = true
                break choosing
            case "d": screen.show("At least \(minimumNumberOfPeers) have to be there, you among them.\n")
            case "q": break choosing
            case let choice: invite(choice)
            }
        }
        // It may have been dismissed and presented anew before Enter was pressed.
        guard presentation == self.presentation else { return }
        isPresented = false
        browser?.stopBrowsingForPeers()
        if isDismissed { return }
        if isDone {
            delegate?.browserViewControllerDidFinish(self)
        } else {
            delegate?.browserViewControllerWasCancelled(self)
        }
    }

    /// What code written for iOS calls when the picker has done its work. Once the person is done there is nothing left to take away; before, it asks for nothing
    /// more, ends when the person presses Enter, and tells the delegate nothing.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        if isPresented, !isDismissed {
            isDismissed = true
            browser?.stopBrowsingForPeers()
            screen.show("That is all. Press Enter to go on.\n")
        }
        completion?()
    }

    private var isEnough: Bool { session.connectedPeers.count + 1 >= minimumNumberOfPeers }

    private func invite(_ choice: String) {
        guard let number = Int(choice), found.indices.contains(number - 1) else {
            return screen.show("There is no “\(PrintableText(choice, limit: 20))” in the list.\n")
        }
        guard session.connectedPeers.count + 1 < maximumNumberOfPeers else {
            return screen.show("There are \(maximumNumberOfPeers) already.\n")
        }
        let peer = found[number - 1]
        screen.show("Inviting \(peer)…\n")
        browser?.invitePeer(peer, to: session, withContext: nil, timeout: Self.timeout)
    }

    private func show() {
        let connected = session.connectedPeers
        for (place, peer) in found.enumerated() {
            screen.show("\(place + 1)  \(peer)\(connected.contains(peer) ? "  connected" : "")\n")
        }
        if found.isEmpty { screen.show("Nobody is there yet.\n") }
    }

    private func found(_ peer: MCPeerID, _ info: [String: String]?) {
        let isWanted =
            delegate?.browserViewController(self, shouldPresentNearbyPeer: peer, withDiscoveryInfo: info) ?? true
        guard isPresented, !isDismissed, isWanted, !found.contains(peer) else { return }
        found.append(peer)
        show()
    }

    private func lost(_ peer: MCPeerID) {
        found.removeAll { $0 == peer }
        if isPresented, !isDismissed { show() }
    }

    // MARK: What the browser tells

    /// Adds it to the list.
    nonisolated open func browser(
        _ browser: MCNearbyServiceBrowser,
        foundPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) {
        Task { @MainActor in self.found(peerID, info) }
    }

    /// Removes it from the list.
    nonisolated open func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
        Task { @MainActor in self.lost(peerID) }
    }

    /// Says so.
    nonisolated open func browser(
        _ browser: MCNearbyServiceBrowser,
        didNotStartBrowsingForPeers error: any Error
    ) {
        let words = error.localizedDescription
        Task { @MainActor in self.screen.show("\(words)\n") }
    }
}
