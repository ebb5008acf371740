package dev.stowage.examples.nativememory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class ArrowServerTest {

  @Test
  void withArrowAlone_leakOfScans_failsTheOtherQueries() {
    assertThat(ArrowServer.withArrowAlone())
        .isEqualTo(
            """
            Arrow alone: 13 scans were cancelled.
            Unable to allocate buffer of size 16 due to memory limit. Current allocation: 2147483648
            A lookup: refused\
            """);
  }

  @Test
  void withBudgets_leakOfScans_isNamedAndOtherQueriesGoOn() {
    assertThat(ArrowServer.withBudgets())
        .isEqualTo(
            """
            With budgets: 13 scans were cancelled.
            account 'server/flight' is out of memory: 16 bytes requested for 'unread messages of scans'. \
            Its limit is 16 bytes too low. In use: 2 GiB; limit: 2 GiB (2,147,483,648 bytes). \
            Holders: 'unread messages of scans' 2 GiB in 1 charge. \
            Try again when charges have ended, or wait with a timeout.
            A lookup: served\
            """);
  }
}
