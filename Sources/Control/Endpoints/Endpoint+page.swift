/// The endpoints about the page and its browsers.
extension Endpoint {
    static let aboutPage: [Endpoint] = [
        .openPage, .openPageToNetwork, .closePageToNetwork, .browsers, .allowBrowser, .signOutBrowser,
    ]

    package static let openPage = Endpoint(.post, "/v1/page", "serve the page, and make an address that opens it once")
    package static let openPageToNetwork = Endpoint(
        .post,
        "/v1/page/network",
        "serve the page to this network, and make a code for one browser"
    )
    package static let closePageToNetwork = Endpoint(
        .delete,
        "/v1/page/network",
        "sign all browsers of other machines out"
    )
    package static let browsers = Endpoint(.get, "/v1/page/browsers", "list the browsers that may use the page")
    package static let allowBrowser = Endpoint(
        .post,
        "/v1/page/browsers/{browser}",
        "let a browser of another machine change things"
    )
    package static let signOutBrowser = Endpoint(.delete, "/v1/page/browsers/{browser}", "sign a browser out")
}
