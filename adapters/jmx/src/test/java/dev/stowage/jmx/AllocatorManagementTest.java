package dev.stowage.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.AllocatorReport.Holder;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.MemoryAccount;
import dev.stowage.allocator.SubAllocator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The management bean of an allocator, called through a server. */
class AllocatorManagementTest {

  /** One region of a MiB at an address. */
  private static final class OneRegion implements SubAllocator {

    @Override
    public OptionalLong allocate(long bytes) {
      return OptionalLong.of(1 << 20);
    }

    @Override
    public void free(long address, long bytes) {}
  }

  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final BfcAllocator allocator =
      new BfcAllocator("a=\"b\",*", new OneRegion(), BfcOptions.growing().withLimit(1 << 20));
  private AllocatorManagement management;
  private AllocatorMXBean bean;

  @BeforeEach
  void register() {
    management = AllocatorManagement.register(allocator, server);
    bean = JMX.newMXBeanProxy(server, management.name(), AllocatorMXBean.class);
  }

  @AfterEach
  void close() {
    management.close();
    assertThat(server.isRegistered(management.name())).isFalse();
  }

  @Test
  void attributes_areTheStatistics() {
    long first = allocator.allocate(1000);
    allocator.allocate(2000);
    allocator.free(first);
    assertThatThrownBy(() -> allocator.allocate(1 << 21))
        .isInstanceOf(BfcOutOfMemoryException.class);
    assertThat(bean.getName()).isEqualTo("a=\"b\",*");
    assertThat(bean.getBytesInUse()).isEqualTo(2048);
    assertThat(bean.getRequestedBytesInUse()).isEqualTo(2000);
    assertThat(bean.getPeakBytesInUse()).isEqualTo(3072);
    assertThat(bean.getReservedBytes()).isEqualTo(1 << 20);
    assertThat(bean.getPeakReservedBytes()).isEqualTo(1 << 20);
    assertThat(bean.getLimitBytes()).isEqualTo(1 << 20);
    assertThat(bean.getFreeBytes()).isEqualTo((1 << 20) - 2048);
    assertThat(bean.getLargestFreeChunkBytes()).isEqualTo((1 << 20) - 3072);
    assertThat(bean.getExternalFragmentation())
        .isEqualTo(allocator.statistics().externalFragmentation());
    assertThat(bean.getInternalFragmentation()).isEqualTo(48 / 2048.0);
    assertThat(bean.getChunksInUse()).isEqualTo(1);
    assertThat(bean.getAllocations()).isEqualTo(2);
    assertThat(bean.getFailedRequests()).isEqualTo(1);
  }

  @Test
  void topHolders_areTheLargestTags() throws Exception {
    AllocationTag.of("small").run(() -> allocator.allocate(100));
    AllocationTag.of("large").run(() -> allocator.allocate(1000));
    assertThat(bean.topHolders(1)).containsExactly(new Holder("large", 1, 1000, 1024));
    assertThat(bean.topHolders(5)).hasSize(2);
    CompositeData[] data =
        (CompositeData[])
            server.invoke(management.name(), "topHolders", new Object[] {1}, new String[] {"int"});
    assertThat(data[0].get("tag")).isEqualTo("large");
    assertThatThrownBy(() -> bean.topHolders(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("count must not be negative: count=-1");
  }

  @Test
  void report_isTheReportOfTheAllocator() {
    allocator.allocate(1000);
    assertThat(bean.report()).isEqualTo(allocator.report().toString());
  }

  @Test
  void trim_returnsFreeMemory() {
    allocator.free(allocator.allocate(1000));
    assertThat(bean.trim()).isEqualTo(1 << 20);
    assertThat(bean.getReservedBytes()).isZero();
  }

  @Test
  void writeSnapshot_writesAllChunks(@TempDir Path folder) throws Exception {
    allocator.allocate(1000);
    Path file = folder.resolve("now.pickle");
    bean.writeSnapshot(file.toString());
    assertThat(Files.size(file)).isPositive();
  }

  @Test
  void register_ofASecondAllocatorOfTheName_isRejected() {
    assertThatThrownBy(() -> AllocatorManagement.register(allocator, server))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "an allocator 'a=\"b\",*' is already registered for management: close that"
                + " registration, or use another name");
  }

  @Test
  void register_withoutAServer_usesThatOfTheJvm() throws Exception {
    try (BfcAllocator tensors = new BfcAllocator("tensors", new OneRegion(), BfcOptions.growing());
        AllocatorManagement registered = AllocatorManagement.register(tensors)) {
      assertThat(registered.name())
          .isEqualTo(new ObjectName("dev.stowage:type=Allocator,name=\"tensors\""));
    }
  }

  @Test
  void attributes_ofAnAccount_areItsLevelsBesideTheProcess() {
    MemoryAccount service = MemoryAccount.root("service", 1000);
    service.child("search", 200, 900).charge(300, "index");
    try (AllocatorManagement accounts = AllocatorManagement.register(service, server)) {
      assertThat(accounts.name()).hasToString("dev.stowage:type=Account,name=\"service\"");
      AccountMXBean account = JMX.newMXBeanProxy(server, accounts.name(), AccountMXBean.class);
      assertThat(account.getName()).isEqualTo("service");
      assertThat(account.getLevels()).isEqualTo(service.levels());
      assertThat(account.getChargedBytes()).isEqualTo(300);
      assertThat(account.getResidentBytes()).isGreaterThan(1 << 20);
      assertThat(account.getUnchargedBytes()).isGreaterThan(1 << 20);
      assertThat(account.getControlGroupLimitBytes()).isPositive();
      assertThat(account.report())
          .startsWith(
              """
              account 'service' has 300 bytes in use, of a limit of 1,000 bytes. Holders: 'index' 300 bytes in 1 charge.
              account 'service/search' has 300 bytes in use, of a limit of 900 bytes, with 200 bytes reserved. Holders: 'index' 300 bytes in 1 charge.
              The process has\
              """)
          .contains(
              " resident bytes, of which 300 are charged; the limit of its control group is ");
      assertThatThrownBy(() -> AllocatorManagement.register(service, server))
          .hasMessage(
              "an account 'service' is already registered for management: close that registration,"
                  + " or use another name");
    }
  }
}
