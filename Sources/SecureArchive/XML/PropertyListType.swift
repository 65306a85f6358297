/// The document types of property lists, now and in the first years, by Apple and by GNUstep. Their addresses are
/// never fetched.
enum PropertyListType {
    static let addresses = [
        "-//Apple//DTD PLIST 1.0//EN": apple, "-//Apple Computer//DTD PLIST 1.0//EN": apple,
        "-//GNUstep//DTD plist 0.9//EN": ["http://www.gnustep.org/plist-0_9.xml"],
    ]
    static let firstAddress = "file://localhost/System/Library/DTDs/PropertyList.dtd"
    private static let apple = [
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd", "https://www.apple.com/DTDs/PropertyList-1.0.dtd",
    ]
}
