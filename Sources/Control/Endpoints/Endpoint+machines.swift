/// The endpoints about other machines.
extension Endpoint {
    static let aboutMachines: [Endpoint] = [
        .peers, .forgetPeer, .blockPeer, .unblockPeer, .keepPeer, .policies, .setDefaultPolicy, .setPolicy, .pair,
        .invitations, .followInvitation, .answerInvitation,
    ]

    package static let peers = Endpoint(.get, "/v1/peers", "paired and visible machines")
    package static let forgetPeer = Endpoint(.delete, "/v1/peers/{peer}", "remove a paired machine")
    package static let blockPeer = Endpoint(.put, "/v1/peers/{peer}/block", "block a machine")
    package static let unblockPeer = Endpoint(.delete, "/v1/peers/{peer}/block", "unblock a machine")
    package static let keepPeer = Endpoint(.put, "/v1/peers/{peer}/keep", "keep a machine that others removed")
    package static let policies = Endpoint(.get, "/v1/policy", "policies")
    package static let setDefaultPolicy = Endpoint(.put, "/v1/policy", "set the default policy")
    package static let setPolicy = Endpoint(.put, "/v1/peers/{peer}/policy", "set a machine's policy and permissions")
    package static let pair = Endpoint(.post, "/v1/calls", "pair with another machine")
    package static let invitations = Endpoint(.get, "/v1/invitations", "waiting invitations")
    package static let followInvitation = Endpoint(
        .get,
        "/v1/invitations/{invitation}",
        "follow an invitation to its end"
    )
    package static let answerInvitation = Endpoint(.post, "/v1/invitations/{invitation}", "answer an invitation")
}
