// Apple's module brings Foundation along, and code written for it counts on that.
@_exported public import Foundation
