public import Foundation
import Vocabulary

/// Shows visible peers on the terminal, and lets the user choose peers to invite: the counterpart of Apple's view
/// controller.
///
/// Call ``present()`` where iOS code would present the view controller.
///
/// `@preconcurrency` as Apple's imported class: code in the language mode of Swift 5 uses it without naming its actor.
@preconcurrency
@MainActor
open class MCBrowserViewController: NSObject, MCNearbyServiceBrowserDelegate {
    /// The delegate, held weakly.
    open weak var delegate: (any MCBrowserViewControllerDelegate)?

    /// Minimum number of peers in the session, including this one, before the user can be done: at least 2.
    open var minimumNumberOfPeers = kMCSessionMinimumNumberOfPeers {
        didSet { minimumNumberOfPeers = max(minimumNumberOfPeers, kMCSessionMinimumNumberOfPeers) }
    }

    /// Maximum number of peers in the session, including this one: at most 8, as with Apple. A ``MCSession`` itself has
    /// no such limit.
    open var maximumNumberOfPeers = kMCSessionMaximumNumberOfPeers {
        didSet { maximumNumberOfPeers = min(maximumNumberOfPeers, kMCSessionMaximumNumberOfPeers) }
    }

    private let searcher: MCNearbyServiceBrowser
    private let ownSession: MCSession
    private var screen: any UserScreen = TerminalScreen()
    private var found: [MCPeerID] = []
    private var isPresented = false
    private var isDismissed = false
    private var presentation = 0

    /// Timeout of an invitation in seconds.
    private static let timeout: TimeInterval = 30

    /// Creates a picker with its own browser.
    public convenience init(serviceType: String, session: MCSession) {
        self.init(
            browser: MCNearbyServiceBrowser(peer: session.myPeerID, serviceType: serviceType),
            session: session
        )
    }

    /// Creates a picker for a browser.
    public init(browser: MCNearbyServiceBrowser, session: MCSession) {
        searcher = browser
        ownSession = session
        super.init()
    }

    convenience init(_ browser: MCNearbyServiceBrowser, _ session: MCSession, on screen: any UserScreen) {
        self.init(browser: browser, session: session)
        self.screen = screen
    }

    /// The browser of the picker.
    open var browser: MCNearbyServiceBrowser? { searcher }

    /// The session for peers that accept.
    open var session: MCSession { ownSession }

    /// Shows visible peers until the user is done or cancels, and calls the delegate.
    open func present() async {
        (isPresented, isDismissed) = (true, false)
        // Peers that are still visible are reported again, even if the browser was running already.
        found = []
        browser?.stopBrowsingForPeers()
        presentation += 1
        let presentation = presentation
        browser?.delegate = self
        browser?.startBrowsingForPeers()
        screen.show("Looking for peers. Type a number to invite one, d when you are done, q to cancel.\n")
        var isDone = false
        choosing: while let line = await screen.nextLine(), !isDismissed, presentation == self.presentation {
            switch line.trimmingCharacters(in: .whitespaces).lowercased() {
            case "": show()
            case "d" where isEnough:
                isDone = true
                break choosing
            case "d": screen.show("At least \(minimumNumberOfPeers) are needed, including you.\n")
            case "q": break choosing
            case let choice: invite(choice)
            }
        }
        // The picker may have been dismissed and presented again before Enter was pressed.
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

    /// iOS code calls this after the picker is done. Then it does nothing. Before that, the picker accepts no further
    /// input, ends when the user presses Enter, and does not call the delegate.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        if isPresented, !isDismissed {
            isDismissed = true
            browser?.stopBrowsingForPeers()
            screen.show("The picker was closed. Press Enter to continue.\n")
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
        if found.isEmpty { screen.show("No peer is visible yet.\n") }
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

    // MARK: Delegate of the browser

    /// Adds a peer to the list.
    nonisolated open func browser(
        _ browser: MCNearbyServiceBrowser,
        foundPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) {
        Task { @MainActor in self.found(peerID, info) }
    }

    /// Removes a peer from the list.
    nonisolated open func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
        Task { @MainActor in self.lost(peerID) }
    }

    /// Shows the failure.
    nonisolated open func browser(
        _ browser: MCNearbyServiceBrowser,
        didNotStartBrowsingForPeers error: any Error
    ) {
        let words = error.localizedDescription
        Task { @MainActor in self.screen.show("\(words)\n") }
    }
}
