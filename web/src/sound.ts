// The page's sounds, synthesized with Web Audio: short knocks and tones, silent until the first click or key press.
import { prefs } from "./prefs.ts";

export type Sound = "step" | "wall" | "capture" | "turn" | "start" | "win" | "loss" | "draw" | "low" | "chat";

interface Knock {
  /** Hertz. */
  pitch: number;
  /** Seconds from the start of the sound. */
  at: number;
  /** Seconds until it has faded out. */
  length: number;
  gain: number;
  wave: OscillatorType;
  /** The share of noise, which makes a tone sound like wood. */
  noise: number;
}

const wood = (pitch: number, at = 0, gain = 0.5, length = 0.09): Knock => ({ pitch, at, length, gain, wave: "triangle", noise: 0.5 });
const tone = (pitch: number, at = 0, gain = 0.16, length = 0.35): Knock => ({ pitch, at, length, gain, wave: "sine", noise: 0 });

const SOUNDS: Record<Sound, Knock[]> = {
  step: [wood(420)],
  wall: [wood(170, 0, 0.7, 0.14)],
  capture: [wood(360), wood(240, 0.07, 0.6, 0.12)],
  turn: [tone(660, 0, 0.07, 0.18)],
  start: [tone(392), tone(523, 0.12)],
  win: [tone(523), tone(659, 0.12), tone(784, 0.24, 0.18, 0.6)],
  loss: [tone(440), tone(349, 0.16, 0.16, 0.6)],
  draw: [tone(440), tone(440, 0.18, 0.14, 0.5)],
  low: [tone(880, 0, 0.12, 0.12), tone(880, 0.18, 0.12, 0.12)],
  chat: [tone(740, 0, 0.06, 0.12)],
};

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

const GESTURES = ["pointerdown", "pointerup", "keydown"]; // browsers accept a touch on release and a mouse on press

/** Enable sound at the first gesture, as browsers require; every later gesture resumes it, as after a phone call. */
export function listenForGesture(): void {
  const wake = () => {
    context ??= new AudioContext();
    if (context.state !== "running") void context.resume();
  };
  for (const gesture of GESTURES) addEventListener(gesture, wake, true);
}

export function play(sound: Sound): void {
  if (!context || context.state !== "running" || !prefs().sound) return;
  for (const knock of SOUNDS[sound]) strike(context, knock);
}

function strike(on: AudioContext, { pitch, at, length, gain, wave, noise: share }: Knock): void {
  const begin = on.currentTime + at;
  const volume = on.createGain();
  volume.gain.setValueAtTime(gain, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
  volume.connect(on.destination);
  const oscillator = new OscillatorNode(on, { type: wave, frequency: pitch });
  oscillator.frequency.exponentialRampToValueAtTime(pitch * (share ? 0.6 : 1), begin + length);
  oscillator.connect(volume);
  oscillator.start(begin);
  oscillator.stop(begin + length);
  if (!share) return;
  const hiss = new AudioBufferSourceNode(on, { buffer: (noise ??= whiteNoise(on)) });
  const filter = new BiquadFilterNode(on, { type: "bandpass", frequency: pitch * 4, Q: 1.2 });
  const softer = new GainNode(on, { gain: share });
  hiss.connect(filter).connect(softer).connect(volume);
  hiss.start(begin, 0, length / 2);
}

function whiteNoise(on: AudioContext): AudioBuffer {
  const buffer = on.createBuffer(1, on.sampleRate / 4, on.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = 2 * Math.random() - 1;
  return buffer;
}
