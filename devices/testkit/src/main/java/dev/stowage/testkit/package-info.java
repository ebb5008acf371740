/**
 * Tests for authors of devices.
 *
 * <p>{@link DeviceContract} has the tests that every {@link dev.stowage.memory.device.Device} must
 * pass. {@link SimulatedDevice} is a device for tests of code that uses devices.
 *
 * <p>The tests of the module {@code dev.stowage.memory} that need the simulated device are in this
 * module, because a module cannot depend on its own user.
 */
@org.jspecify.annotations.NullMarked
package dev.stowage.testkit;
