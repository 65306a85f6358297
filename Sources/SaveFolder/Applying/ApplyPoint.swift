/// The steps of changing a folder as a whole, in their order. A test can stop the program at each.
package enum ApplyPoint: String, CaseIterable, Sendable {
    /// The plan is written and flushed.
    case journalWritten
    /// One more file is ready beside the folder.
    case fileStaged
    /// All files are ready beside the folder and flushed.
    case staged
    /// The folder itself changes from now on; this is written and flushed.
    case announced
    /// The old folder and the new one have swapped places.
    case exchanged
    /// One of several steps was taken in the folder itself.
    case stepTaken
    /// A part of a large file was changed in place.
    case partWritten
    /// The change is flushed, and can still be undone.
    case changed
    /// No program changed anything else meanwhile; the change is final, which is written and flushed.
    case committed
    /// The data for undoing the change is removed.
    case cleared
    /// The undo is about to start. Writes of programs in the new folder are in the old one as well.
    case takingBack
    /// One step was undone.
    case stepTakenBack
    /// The folder is in its previous state, flushed.
    case takenBack
    /// The journal is removed: no change is in progress.
    case ended
}
