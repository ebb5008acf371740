package dev.stowage.jmx;

import dev.stowage.allocator.MemoryAccount;
import java.util.List;

/** The management interface of a {@link MemoryAccount} and of the accounts below it. */
public interface AccountMXBean {

  /** {@return the path of the account} */
  String getName();

  /** {@return this account and all open accounts below it, at one moment; parents come first} */
  List<MemoryAccount.Level> getLevels();

  /** {@return the bytes that are charged to it and to accounts below it} */
  long getChargedBytes();

  /** {@return the resident bytes of the process; 0 if they are not known} */
  long getResidentBytes();

  /** {@return the resident bytes less the charged ones; negative if more is charged} */
  long getUnchargedBytes();

  /** {@return the limit of the control group of the process; {@link Long#MAX_VALUE} without one} */
  long getControlGroupLimitBytes();

  /** {@return a sentence for each account, with its largest holders, and one for the process} */
  String report();
}
