// All that the page says, in English. Another language is a file like text.de.js with the same keys.

const english = {
  'skip': 'Skip to content',
  'tab.games': 'Games', 'tab.machines': 'Machines', 'tab.inbox': 'Inbox', 'tab.activity': 'Activity',
  'state.in-sync': 'In sync', 'state.only-here': 'Only here', 'state.sending': 'Sending',
  'state.receiving': 'Receiving', 'state.waiting-for-game': 'Waiting for the game', 'state.conflict': 'Conflict',
  'state.emptied': 'Emptied', 'state.not-syncing': 'Not syncing', 'state.unavailable': 'Unavailable',
  'state.offered': 'Offered',
  'offline': 'The daemon does not answer. If it was restarted, run “huddle open”.',
  'signedout': 'This browser is signed out. Run “huddle open” on this machine to sign in.',
  'loading': 'Loading…',
  'cancel': 'Cancel', 'close': 'Close', 'back': 'Back', 'more': 'Show more', 'copy': 'Copy', 'copied': 'Copied.',
  'undo': 'Undo',
  'time.now': 'just now', 'time.future': 'in the future',
  'size.left': '{done} of {total}',
  'games.none': 'No game is shared yet.',
  'games.first': 'Share a game to keep its saves in sync with your other machines.',
  'games.needs': 'Needs you', 'games.all': 'Games', 'games.filter': 'Filter games',
  'games.count': '{count} games', 'games.one': '1 game',
  'games.saved': 'Saved {time} on {machine}', 'games.unsaved': 'No save yet',
  'games.playing': '{machine} is playing', 'games.playing.here': 'Playing here',
  'games.share': 'Share a game', 'games.share.text': 'Choose the folder in which the game keeps its saves.',
  'games.name': 'Name of the game', 'games.folder': 'Folder on this machine',
  'games.share.do': 'Share', 'games.shared': '{game} is shared.',
  'offer.from': '{machine} offers {game}.', 'offer.join': 'Join', 'offer.joined': 'Joined {game}.',
  'offer.text': 'The saves from {machine} go into this folder. If saves are there already, both are kept.',
  'conflict.short': '{game} was played on two machines.', 'conflict.choose': 'Choose',
  'conflict.title': 'Which save counts?',
  'conflict.text': 'Two machines saved apart. The other save stays in the history.',
  'conflict.keep': 'Keep {machine}', 'conflict.merge': 'Merge both', 'conflict.later': 'Later',
  'conflict.nothing': 'No value that can be read differs.',
  'conflict.more': 'and {count} more', 'conflict.resolved': 'Conflict resolved. {machine} counts.',
  'conflict.merged': 'Conflict resolved. Both saves are merged.', 'conflict.absent': 'not there',
  'emptied.short': 'The folder of {game} lost its files. No other machine gets that.',
  'emptied.send': 'They are meant to be gone', 'emptied.restore': 'Restore the files',
  'game.folder': 'Folder', 'game.machines': 'Machines', 'game.versions': 'Versions', 'game.settings': 'Settings',
  'game.unknown': 'No game here has this name.', 'game.here': 'this machine',
  'game.hasnot': 'does not have the newest save',
  'game.offline': 'offline', 'game.notjoined': 'has not joined',
  'game.share': 'Share with {machine}', 'game.unshare': 'Stop sharing with {machine}',
  'game.plot': '{label} over time',
  'game.stop': 'Stop syncing here', 'game.stop.ask': 'Stop syncing {game} on this machine?',
  'game.stop.text': 'The folder and its files stay as they are. Other machines go on.',
  'game.stopped': 'Stopped syncing {game} here.',
  'game.keep': 'Versions to keep', 'game.days': 'Days to keep each version', 'game.save': 'Save settings',
  'game.saved': 'Settings saved.', 'game.settle': 'Seconds of quiet before a save is read',
  'version.saved': 'saved on {machine}', 'version.restored': 'restored on {machine}',
  'version.chosen': 'chosen on {machine}', 'version.merged': 'merged', 'version.delivered': 'sent by {machine}',
  'version.shown': 'current', 'version.gone': 'cannot be restored',
  'version.added': '{count} new', 'version.changed': '{count} changed', 'version.removed': '{count} removed',
  'version.restore': 'Restore', 'version.details': 'Details', 'version.files': 'Files',
  'version.restored.done': 'Version {number} is back.', 'version.undone': 'Undone.',
  'version.ask': 'Restore version {number} of {game}?',
  'version.ask.text': 'All machines get it. The current save stays in the history.',
  'version.since': 'Changed since version {number}', 'version.nochange': 'Nothing that can be read changed.',
  'version.mark': 'marked: {note}',
  'machines.here': 'This machine', 'machines.mine': 'Paired', 'machines.near': 'Near here',
  'machines.none': 'No other machine is paired yet. Start huddled on another machine of this network.',
  'machines.online': 'online', 'machines.offline': 'offline', 'machines.seen': 'offline since {time}',
  'machines.pair': 'Pair', 'machines.code': 'Type this code on {machine}',
  'machines.code.text': 'There: open this page or run “huddle accept”. The code is good for one try.',
  'machines.waiting': 'Looking for {machine}…', 'machines.paired': 'Paired with {machine}.',
  'machines.asks': '{machine} wants to pair.', 'machines.asks.known': '{machine} asks to connect.',
  'machines.enter': 'Enter code', 'machines.enter.text': 'Type the six digits that {machine} shows.',
  'machines.six': 'Six digits', 'machines.accept': 'Accept', 'machines.decline': 'Decline', 'machines.block': 'Block',
  'machines.unblock': 'Unblock', 'machines.forget': 'Forget', 'machines.blocked': 'blocked',
  'machines.ask': 'asks each time', 'machines.block.ask': 'Block {machine}?',
  'machines.block.text': 'It gets no answer. To it, this machine looks offline.',
  'machines.forget.ask': 'Forget {machine}?', 'machines.forget.text': 'The next time it takes a code again.',
  'machines.badcode': 'A code has six digits.', 'machines.trust': 'Let it connect without a question',
  'machines.like': 'Careful: its name looks like {machine}.',
  'inbox.none': 'Nothing has arrived yet.', 'inbox.write': 'Write a message', 'inbox.send': 'Send',
  'inbox.to': 'To', 'inbox.sent': 'Delivered to {machine}.', 'inbox.from': 'from {machine}',
  'inbox.nobody': 'No paired machine is online.', 'inbox.drop': 'Drop files here, or choose some',
  'inbox.files': 'Choose files', 'inbox.sending': 'Sending {name}', 'inbox.file.sent': 'Sent {name} to {machine}.',
  'log.asked': 'asked to connect', 'log.asked-unpinned': 'asked to pair', 'log.not-asked': 'asked too often',
  'log.accepted': 'connected', 'log.accepted-by-person': 'was let in', 'log.declined-by-person': 'was declined',
  'log.invited': 'was asked to connect', 'log.invitation-over': 'was not reached',
  'log.wrong-code': 'typed a wrong code', 'log.pinned': 'was paired', 'log.trusted': 'connects without a question',
  'log.blocked': 'was blocked', 'log.unblocked': 'was unblocked', 'log.forgotten': 'was forgotten',
  'log.policy-set': 'got other permissions', 'log.permissions-set': 'got other permissions',
  'log.received': 'sent a file', 'log.sent': 'got a file', 'log.save-set-shared': 'may have a game',
  'log.save-set-withdrawn': 'may not have a game now', 'log.save-restored': 'restored a version',
  'log.conflict-resolved': 'resolved a conflict', 'log.intrusion': 'tried to get in',
  'log.key-changed': 'showed another key',
  'activity.none': 'Nothing happened yet.',
 
}

let current = english
export let language = 'en'

/** Takes the language of the browser, or the one that is asked for. */
export async function chooseLanguage(wanted = navigator.language) {
  if (!wanted.startsWith('de')) return
  const { german } = await import('./text.de.js')
  current = german
  language = 'de'
  document.documentElement.lang = 'de'
}

/** A text with values in the place of its names in braces. */
export function t(key, values = {}) {
  const text = current[key] ?? english[key] ?? key
  return text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all)
}

export const keys = Object.keys(english)

const units = [['year', 31557600], ['month', 2629800], ['week', 604800], ['day', 86400], ['hour', 3600], ['minute', 60]]
let relative
let absolute

/** How long ago a time was, in seconds since 1970. */
export function ago(seconds) {
  relative ??= new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const passed = Date.now() / 1000 - seconds
  if (passed < -60) return t('time.future')
  for (const [unit, length] of units) {
    if (passed >= length) return relative.format(-Math.round(passed / length), unit)
  }
  return t('time.now')
}

/** A time as a clock and a calendar show it. */
export function clock(seconds) {
  absolute ??= new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return absolute.format(new Date(seconds * 1000))
}

/** A number of bytes. */
export function size(bytes) {
  const names = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let index = 0
  for (; bytes >= 1024 && index < names.length - 1; index += 1) bytes /= 1024
  const digits = bytes >= 10 || index === 0 ? 0 : 1
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(bytes)} ${names[index]}`
}
