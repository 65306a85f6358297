import Foundation

/// Objects that lead back to themselves, which Swift would never free.
enum ObjectCircles {
    /// Lets all travellers that can be reached from an object forget their content.
    ///
    /// It works without recursion and holds all objects until the end: freeing a long chain of objects takes a frame of
    /// the stack for each.
    static func takeApart(_ root: Any) {
        var open = [root as AnyObject]
        var found: [ObjectIdentifier: AnyObject] = [:]
        while let object = open.popLast() {
            guard found.updateValue(object, forKey: ObjectIdentifier(object)) == nil else { continue }
            switch object {
            case let array as NSArray: open += array.map { $0 as AnyObject }
            case let dictionary as NSDictionary: open += dictionary.allValues.map { $0 as AnyObject }
            case let traveller as Traveller:
                let held: [Any?] = [traveller.companion, traveller.inherited, traveller.list]
                open += held.compactMap { $0.map { $0 as AnyObject } }
            default: break
            }
        }
        for object in found.values {
            (object as? Traveller)?.forget()
        }
    }
}
