/// Names of files as devices may send them, and the rule that selects those that Huddle syncs.
package enum BridgedName {
    /// True for a path that stays inside the folder. The protocol forbids all others.
    package static func isClean(_ name: String) -> Bool {
        !name.isEmpty && !name.utf8.contains(0)
            && name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
            }
    }
}
