// How much this machine thinks by default: little on phones and small machines, to be kind to batteries.

export interface Budget {
  visits: number;
  seconds: number;
}

/** What a browser says about its machine; a browser may say nothing. */
export interface Machine {
  hardwareConcurrency?: number;
  /** Gigabytes, rounded, at most 8. */
  deviceMemory?: number;
  maxTouchPoints?: number;
  userAgentData?: { mobile?: boolean };
  userAgent?: string;
}

const PHONE: Budget = { visits: 200, seconds: 2 };
const SMALL: Budget = { visits: 400, seconds: 4 };
const USUAL: Budget = { visits: 800, seconds: 8 };

export function isPhone(machine: Machine): boolean {
  return machine.userAgentData?.mobile ?? /Android|iPhone|iPad|Mobile/.test(machine.userAgent ?? "");
}

/** Return the default budget of a machine. */
export function budgetOf(machine: Machine): Budget {
  if (isPhone(machine)) return PHONE;
  const { hardwareConcurrency: cores = 4, deviceMemory: gigabytes = 8 } = machine;
  return cores <= 2 || gigabytes <= 2 ? SMALL : USUAL;
}

/** Return the threads of one evaluation: one without cross-origin isolation, and never all cores. */
export function threadsOf(machine: Machine, isIsolated: boolean): number {
  if (!isIsolated) return 1;
  const cores = machine.hardwareConcurrency ?? 1;
  return Math.max(1, Math.min(4, isPhone(machine) ? cores >> 2 : cores >> 1));
}
