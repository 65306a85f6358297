extension DocumentRule {
    /// Pages, and folders of pages, that may still have long lines or long paragraphs. None is added.
    private static let pending = [
        "docs/internals/decisions/",
        "docs/machines/",
        "docs/benchmarks.md",
        "docs/internals/architecture.md",
    ]

    static func isPending(_ page: String) -> Bool {
        pending.contains { page.hasPrefix($0) }
    }
}
