/// The steps of changing a set's folder as a whole, in the order in which they are reached. A test lets the program die at each.
package enum ApplyPoint: String, CaseIterable, Sendable {
    /// What is to be done is noted down, safe from a power cut.
    case journalWritten
    /// One more file has been made ready beside the set.
    case fileStaged
    /// All is ready beside the set, safe from a power cut.
    case staged
    /// From here on the set itself changes; that is noted down, safe from a power cut.
    case announced
    /// The old folder and the new one have taken each other's place.
    case exchanged
    /// One step of several was taken in the set's own folder.
    case stepTaken
    /// Some of a large file was changed where it is.
    case partWritten
    /// The change is safe from a power cut, and may still be taken back.
    case changed
    /// Nobody else changed anything meanwhile; that the change stands is noted down, safe from a power cut.
    case committed
    /// What was kept for taking the change back is gone.
    case cleared
    /// The change is about to be taken back. What programs have done in a new folder meanwhile is in the old one as well.
    case takingBack
    /// One step was taken back.
    case stepTakenBack
    /// The set is as it was, safe from a power cut.
    case takenBack
    /// The journal is gone: nothing is under way any more.
    case ended
}
