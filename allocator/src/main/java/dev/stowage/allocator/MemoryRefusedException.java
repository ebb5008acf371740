package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.util.Locale;

/**
 * Thrown if a {@link MemoryAccount} has no room for a charge.
 *
 * <p>The message, which is also the text, has sentences for an operator: the account that would
 * exceed its limit, the request, the cause, the state of the account, its largest holders, and a
 * remedy:
 *
 * <pre>
 * account 'service' is out of memory for account 'service/search': 128 MiB (134,217,728 bytes)
 * requested for 'index'. Its limit is 28 MiB (29,360,128 bytes) too low. In use: 412 MiB; limit: 512
 * MiB (536,870,912 bytes). Holders: 'embed' 300 MiB in 2 charges, 'index' 112 MiB in 7 charges. Try
 * again when charges have ended, or wait with a timeout.
 * </pre>
 *
 * <p>A server answers with the status 429 if the request may be repeated, and with 413 if {@link
 * #isPermanent()}.
 *
 * @serial exclude
 */
public final class MemoryRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String account;
  private final String tag;
  private final long requestedBytes;
  private final boolean isPermanent;

  private final MemoryAccount.Level level;

  MemoryRefusedException(MemoryAccount.Refusal refusal) {
    super(message(refusal));
    account = refusal.asked();
    tag = refusal.tag();
    requestedBytes = refusal.bytes();
    isPermanent = refusal.isPermanent();
    level = refusal.level();
  }

  private static String message(MemoryAccount.Refusal refusal) {
    Exhausted exhausted = refusal.exhausted();
    return exhausted.describe(
            "account",
            refusal.asked(),
            String.format(
                Locale.ROOT,
                "%s requested for '%s'",
                ByteCount.exact(refusal.bytes()),
                refusal.tag()),
            refusal.bytes(),
            cause(refusal))
        + refusal.level().describeHolders()
        + remedy(refusal);
  }

  private static String remedy(MemoryAccount.Refusal refusal) {
    if (!refusal.isPermanent()) {
      return " Try again when charges have ended, or wait with a timeout.";
    }
    return refusal.reservations().isEmpty()
        ? " No wait can help: ask for less, or raise the limit."
        : " No end of a charge can help, because bytes are reserved ("
            + refusal.reservations()
            + "): ask for less, close an account with a reservation, or raise the limit.";
  }

  private static String cause(MemoryAccount.Refusal refusal) {
    long lacking = refusal.exhausted().lackingBytes();
    return lacking > 0
        ? "Its limit is " + ByteCount.exact(lacking) + " too low."
        : "Earlier charges wait: " + refusal.level().waiting() + ".";
  }

  /** {@return the account that was asked: the names from the root, separated by slashes} */
  public String account() {
    return account;
  }

  /** {@return the purpose of the bytes} */
  public String tag() {
    return tag;
  }

  /** {@return the requested bytes} */
  public long requestedBytes() {
    return requestedBytes;
  }

  /** {@return the account that has too little left, as it was then: its use, limit and holders} */
  public MemoryAccount.Level level() {
    return level;
  }

  /** {@return true if the bytes, alone or with reservations, exceed a limit: no wait can help} */
  public boolean isPermanent() {
    return isPermanent;
  }

  /** {@return the message, for an operator} */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // without the name of the class
  public String toString() {
    return String.valueOf(getMessage());
  }
}
