package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.util.Locale;

/**
 * An account that holds up a charge.
 *
 * @param account the account
 * @param chargedBytes the bytes that would be charged to it
 * @param usedBytes the bytes that were charged to it then
 * @param limitBytes its limit then
 */
record Exhausted(MemoryAccount account, long chargedBytes, long usedBytes, long limitBytes) {

  /** {@return the message of a request through a budget: of this account, or one below it} */
  String message(MemoryAccount asked, long roundedBytes, long requestedBytes) {
    return describe(
        "budget",
        asked.path(),
        FailedRequest.describe(requestedBytes, roundedBytes),
        roundedBytes,
        "Its limit is " + ByteCount.exact(lackingBytes()) + " too low.");
  }

  /** {@return the bytes by which the limit is too low; not positive if earlier charges wait} */
  long lackingBytes() {
    return chargedBytes - (limitBytes - usedBytes);
  }

  /** {@return the message of a failure in sentences} */
  String describe(String kind, String asked, String request, long bytes, String cause) {
    return String.format(
        Locale.ROOT,
        "%s '%s' is out of memory%s: %s%s. %s In use: %s; limit: %s.",
        kind,
        account.path(),
        asked.equals(account.path()) ? "" : String.format(Locale.ROOT, " for %s '%s'", kind, asked),
        request,
        chargedBytes == bytes
            ? ""
            : ", " + ByteCount.text(chargedBytes) + " of it beyond the reservation",
        cause,
        ByteCount.text(usedBytes),
        ByteCount.exact(limitBytes));
  }
}
